#include "core/optim/optimizers/optimizer.hpp"

#include <ATen/core/grad_mode.h>

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "core/abi/border_watch.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

void check_group(const ParamGroup& added, const std::vector<ParamGroup>& groups, const std::string& owner) {
  if (added.names.size() != added.params.size())
    throw Error(ErrorCode::internal_error, owner + ": a parameter group needs as many names as parameters");
  std::unordered_set<const void*> seen;
  for (const auto& group : groups)
    for (const auto& param : group.params) seen.insert(param.unsafeGetTensorImpl());
  for (size_t i = 0; i < added.params.size(); ++i) {
    const auto& param = added.params[i];
    if (!seen.insert(param.unsafeGetTensorImpl()).second)
      throw Error(ErrorCode::optimizer_misconfigured,
                  owner + ": parameter '" + added.names[i] + "' is already in a parameter group");
    if (param.requires_grad() && !param.is_leaf())
      throw Error(ErrorCode::optimizer_misconfigured,
                  owner + ": '" + added.names[i] + "' is not a leaf tensor, so it is not a parameter");
  }
}

[[noreturn]] void mismatch(const std::string& owner, const std::string& what) {
  throw Error(ErrorCode::checkpoint_state_refused, owner + ": the saved state does not fit: " + what);
}

}  // namespace

size_t Optimizer::add_group(ParamGroup group) {
  check_group(group, groups_, "optimizer '" + id() + "'");
  groups_.push_back(std::move(group));
  try {
    on_group_added();
  } catch (...) {
    groups_.pop_back();
    throw;
  }
  return groups_.size() - 1;
}

void Optimizer::step() {
  if (needs_closure())
    throw Error(ErrorCode::optimizer_misconfigured,
                "optimizer '" + id() + "' evaluates the loss several times in a step: it needs a closure");
  const at::NoGradGuard no_grad;
  if (around_)
    around_([this] { do_step(); });
  else
    do_step();
  if (BorderWatch* watch = border_watch()) watch->parameters_changed("the step of optimizer '" + id() + "'");
}

void Optimizer::step_unless(const at::Tensor& skip) {
  if (!takes_mask()) {
    if (!skip.item<bool>()) step();
    return;
  }
  mask_ = skip;
  try {
    step();
  } catch (...) {
    mask_.reset();
    throw;
  }
  mask_.reset();
}

at::Tensor Optimizer::step(const Closure& closure) {
  if (needs_closure()) {
    const at::NoGradGuard no_grad;
    at::Tensor loss = do_step(closure);
    if (BorderWatch* watch = border_watch()) watch->parameters_changed("the step of optimizer '" + id() + "'");
    return loss;
  }
  at::Tensor loss;
  {
    const at::AutoGradMode grad(true);
    loss = closure();
  }
  step();
  return loss;
}

at::Tensor Optimizer::do_step(const Closure& closure) { return closure(); }

void Optimizer::zero_grad(bool set_to_none) {
  for (auto& group : groups_) {
    for (auto& param : group.params) {
      at::Tensor& grad = param.mutable_grad();
      if (!grad.defined()) continue;
      if (set_to_none) {
        grad.reset();
        continue;
      }
      const at::NoGradGuard no_grad;
      if (grad.requires_grad()) grad = grad.detach();
      grad.zero_();
    }
  }
}

double Optimizer::momentum(size_t group) const { return get(group, has("momentum") ? "momentum" : "beta1"); }

void Optimizer::set_momentum(size_t group, double value) { set(group, has("momentum") ? "momentum" : "beta1", value); }

std::string Optimizer::state_key(size_t group, size_t param, const char* slot) const {
  return std::to_string(group) + "." + groups_[group].names[param] + "." + slot;
}

OptimizerState Optimizer::state_dict() {
  OptimizerState state;
  visit_state([&](const std::string& key, at::Tensor& tensor) { state.tensors.emplace_back(key, tensor); });
  json groups = json::array();
  for (size_t i = 0; i < groups_.size(); ++i) {
    json values = group_values(i);
    values["name"] = groups_[i].name;
    values["params"] = groups_[i].names;
    if (!std::isnan(initial_lr(i))) values["initial_lr"] = initial_lr(i);
    groups.push_back(std::move(values));
  }
  state.values = {{"optimizer", id()}, {"groups", std::move(groups)}};
  return state;
}

void Optimizer::load_state_dict(const OptimizerState& state) {
  const std::string owner = "optimizer '" + id() + "'";
  try {
    const std::string saved = state.values.at("optimizer");
    if (saved != id()) mismatch(owner, "it was saved by '" + saved + "'");
    const json& groups = state.values.at("groups");
    if (groups.size() != groups_.size())
      mismatch(owner, std::to_string(groups.size()) + " parameter groups, here are " + std::to_string(groups_.size()));
    for (size_t i = 0; i < groups_.size(); ++i) {
      if (groups[i].at("params") != json(groups_[i].names))
        mismatch(owner, "group " + std::to_string(i) + " has other parameters than in this run");
    }
    for (size_t i = 0; i < groups_.size(); ++i) {
      load_group_values(i, groups[i]);
      if (groups[i].contains("initial_lr")) set_initial_lr(i, groups[i]["initial_lr"]);
    }
  } catch (const json::exception& e) {
    mismatch(owner, brief_json_error(e.what()));
  }
  load_tensors(state);
}

void Optimizer::load_tensors(const OptimizerState& state) {
  const at::NoGradGuard no_grad;
  std::unordered_map<std::string, std::pair<size_t, size_t>> params;
  for (size_t g = 0; g < groups_.size(); ++g)
    for (size_t p = 0; p < groups_[g].names.size(); ++p) params.emplace(state_key(g, p, ""), std::pair(g, p));
  for (const auto& [key, tensor] : state.tensors) {
    const size_t cut = key.rfind('.') + 1;  // names of parameters contain dots, names of slots do not
    const auto found = params.find(key.substr(0, cut));
    if (found == params.end() || !load_tensor(found->second.first, found->second.second, key.substr(cut), tensor))
      mismatch("optimizer '" + id() + "'", "'" + key + "' is not a state of this optimizer");
  }
}

}  // namespace levin::core
