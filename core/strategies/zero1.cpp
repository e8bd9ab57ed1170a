#include "core/strategies/zero1.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/strategies/same_model.hpp"

namespace levin::core {
namespace {

template <class F>
void each_param(const Optimizer& optimizer, const F& f) {
  for (const ParamGroup& group : optimizer.groups())
    for (size_t i = 0; i < group.params.size(); ++i) f(group.params[i], group.names[i]);
}

}  // namespace

bool Zero1Strategy::owns(const at::Tensor& param) const {
  const auto found = owner_.find(param.unsafeGetTensorImpl());
  return found == owner_.end() || found->second == processes().rank();
}

void Zero1Strategy::begin_optimizers(const std::vector<std::unique_ptr<Optimizer>>& optimizers) {
  if (!shards_optimizers()) return;
  owner_.clear();
  for (const auto& optimizer : optimizers) {
    if (optimizer->needs_closure())
      throw Error(ErrorKind::usage,
                  "trainer.strategy=zero1: the optimizer '" + optimizer->id() +
                      "' looks at all parameters in a step, so its state cannot be shared out; use ddp");
    share_out(*optimizer);
    optimizer->around_steps([this, o = optimizer.get()](const std::function<void()>& step) { step_own(*o, step); });
  }
}

// The largest parameters first, each to the process that has the fewest elements so far: the same in all processes.
void Zero1Strategy::share_out(const Optimizer& optimizer) {
  std::vector<at::Tensor> params;
  each_param(optimizer, [&](const at::Tensor& p, const std::string&) { params.push_back(p); });
  std::stable_sort(params.begin(), params.end(),
                   [](const at::Tensor& a, const at::Tensor& b) { return a.numel() > b.numel(); });
  std::vector<int64_t> load(static_cast<size_t>(processes().size()));
  for (const at::Tensor& p : params) {
    const auto least = std::min_element(load.begin(), load.end());
    owner_[p.unsafeGetTensorImpl()] = static_cast<int>(least - load.begin());
    *least += p.numel();
  }
}

// An optimizer leaves parameters without a gradient alone, and makes no state for them.
void Zero1Strategy::step_own(const Optimizer& optimizer, const std::function<void()>& step) {
  each_param(optimizer, [&](const at::Tensor& p, const std::string&) {
    if (owner_.count(p.unsafeGetTensorImpl()) == 0) share_out(optimizer);  // a group was added
  });
  std::vector<std::pair<at::Tensor, at::Tensor>> hidden;
  each_param(optimizer, [&](const at::Tensor& p, const std::string&) {
    if (owns(p) || !p.grad().defined()) return;
    hidden.emplace_back(p, p.grad());
    p.mutable_grad().reset();
  });
  step();
  for (auto& [param, grad] : hidden) param.mutable_grad() = grad;
  send_parameters(optimizer);
}

void Zero1Strategy::send_parameters(const Optimizer& optimizer) {
  std::vector<std::vector<NamedTensor>> of_rank(static_cast<size_t>(processes().size()));
  each_param(optimizer, [&](const at::Tensor& p, const std::string& name) {
    if (p.requires_grad()) of_rank[static_cast<size_t>(owner_.at(p.unsafeGetTensorImpl()))].push_back({name, p});
  });
  for (size_t rank = 0; rank < of_rank.size(); ++rank)
    broadcast_tensors(of_rank[rank], processes(), static_cast<int>(rank));
}

}  // namespace levin::core
