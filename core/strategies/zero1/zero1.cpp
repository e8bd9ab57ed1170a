#include "core/strategies/zero1/zero1.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

template <class F>
void each_param(const Optimizer& optimizer, const F& f) {
  for (const ParamGroup& group : optimizer.groups())
    for (size_t i = 0; i < group.params.size(); ++i) f(group.params[i], group.names[i]);
}

}  // namespace

bool Zero1Strategy::owns(const Optimizer& optimizer, const at::Tensor& param) {
  return !shards_optimizers() || owner(optimizer, param) == processes().rank();
}

// Assigns groups that were added later one by one, so that the result does not depend on when a process asks.
int Zero1Strategy::owner(const Optimizer& optimizer, const at::Tensor& param) {
  if (owner_.count(param.unsafeGetTensorImpl()) == 0)
    for (size_t g = 0; g < optimizer.groups().size(); ++g) share_out(optimizer, g, g + 1);
  return owner_.at(param.unsafeGetTensorImpl());
}

void Zero1Strategy::begin_optimizers(const std::vector<std::unique_ptr<Optimizer>>& optimizers) {
  if (!shards_optimizers()) return;
  owner_.clear();
  for (const auto& optimizer : optimizers) {
    if (optimizer->needs_closure())
      throw Error(ErrorCode::option_unsupported, "trainer.strategy=zero1 cannot shard the state of the optimizer '" +
                                                     optimizer->id() + "', whose step uses all parameters; use ddp");
    share_out(*optimizer, 0, optimizer->groups().size());
    optimizer->around_steps([this, o = optimizer.get()](const std::function<void()>& step) { step_own(*o, step); });
  }
}

// Assigns owners to parameters. Existing owners are kept, and with them the optimizer state. The other parameters are
// assigned in descending size, each to the process with the fewest elements so far. The result is the same in all
// processes.
void Zero1Strategy::share_out(const Optimizer& optimizer, size_t first_group, size_t end_group) {
  std::vector<int64_t> load(static_cast<size_t>(processes().size()));
  each_param(optimizer, [&](const at::Tensor& p, const std::string&) {
    const auto found = owner_.find(p.unsafeGetTensorImpl());
    if (found != owner_.end()) load[static_cast<size_t>(found->second)] += p.numel();
  });
  std::vector<at::Tensor> params;
  for (size_t g = first_group; g < end_group; ++g)
    for (const at::Tensor& p : optimizer.groups()[g].params)
      if (owner_.count(p.unsafeGetTensorImpl()) == 0) params.push_back(p);
  std::stable_sort(params.begin(), params.end(),
                   [](const at::Tensor& a, const at::Tensor& b) { return a.numel() > b.numel(); });
  for (const at::Tensor& p : params) {
    const auto least = std::min_element(load.begin(), load.end());
    owner_[p.unsafeGetTensorImpl()] = static_cast<int>(least - load.begin());
    *least += p.numel();
  }
}

// Hides the gradients of other processes' parameters during the step: an optimizer skips parameters without a gradient
// and creates no state for them.
void Zero1Strategy::step_own(const Optimizer& optimizer, const std::function<void()>& step) {
  std::vector<std::pair<at::Tensor, at::Tensor>> hidden;
  each_param(optimizer, [&](const at::Tensor& p, const std::string&) {
    if (owns(optimizer, p) || !p.grad().defined()) return;
    hidden.emplace_back(p, p.grad());
    p.mutable_grad().reset();
  });
  step();
  for (auto& [param, grad] : hidden) param.mutable_grad() = grad;
  if (!alone_) send_parameters(optimizer);
}

void Zero1Strategy::send_parameters(const Optimizer& optimizer) {
  std::vector<std::vector<NamedTensor>> of_rank(static_cast<size_t>(processes().size()));
  each_param(optimizer, [&](const at::Tensor& p, const std::string& name) {
    const bool may_step = p.requires_grad() || p.grad().defined();  // an old gradient is in all processes
    if (may_step) of_rank[static_cast<size_t>(owner(optimizer, p))].push_back({name, p});
  });
  for (size_t rank = 0; rank < of_rank.size(); ++rank)
    broadcast_tensors(of_rank[rank], processes(), static_cast<int>(rank));
}

}  // namespace levin::core
