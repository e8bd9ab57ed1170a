// levin.optim/1: the optimizers and schedules of a run.
#include "core/base/error.hpp"
#include "core/components/tensor_handle.hpp"
#include "core/logging/log_rules.hpp"
#include "core/services/run_state.hpp"

namespace levin::core {

const char* RunState::optimizer_name(uint32_t optimizer, uint32_t& groups) {
  Optimizer& o = c_.optimizers.optimizer(optimizer);
  groups = static_cast<uint32_t>(o.groups().size());
  return o.name().c_str();
}

const char* RunState::group_name(uint32_t optimizer, uint32_t group) {
  const auto& groups = c_.optimizers.optimizer(optimizer).groups();
  if (group >= groups.size())
    throw Error(ErrorKind::usage, "optimizer " + std::to_string(optimizer) + " has no group " + std::to_string(group));
  return groups[group].name.c_str();
}

double RunState::optimizer_get(uint32_t optimizer, uint32_t group, const std::string& option) {
  group_name(optimizer, group);
  return c_.optimizers.optimizer(optimizer).get(group, option);
}

void RunState::optimizer_set(uint32_t optimizer, uint32_t group, const std::string& option, double value) {
  group_name(optimizer, group);
  c_.optimizers.optimizer(optimizer).set(group, option, value);
}

void RunState::add_group(uint32_t optimizer, const levin_group_desc& group) {
  c_.optimizers.add_group(optimizer, group, c_.model);
}

void RunState::optimizer_step(uint32_t optimizer, levin_status (*closure)(void*), void* ctx) {
  c_.optimization.step_from_override(optimizer, closure, ctx);
  if (c_.model.manual_optimization()) ++c_.at().global_step;
}

// The host calls backward for the loss that an automatic step returns. An override of backward may ask for it, too.
void RunState::backward(levin_tensor* loss, bool retain_graph) {
  if (!c_.model.manual_optimization() && c_.hooks.origin() == training_step)
    throw Error(
        ErrorKind::usage,
        "manual_backward in training_step, but the model's optimization is automatic: return the loss alone, or "
        "declare static constexpr bool automatic_optimization = false and step the optimizers too");
  c_.optimization.backward(retain(loss), retain_graph);
}

void RunState::clip(uint32_t optimizer, double value, const std::string& algorithm) {
  c_.optimization.clip(optimizer, value, algorithm);
}

void RunState::scheduler(uint32_t index, uint32_t& optimizer, const char*& label, const char*& interval) {
  const ScheduleConfig& s = c_.optimizers.schedule(index);
  optimizer = s.optimizer;
  label = s.label.c_str();
  interval = s.by_step ? "step" : "epoch";
}

void RunState::scheduler_step(uint32_t index, double metric) {
  LrScheduler& s = *c_.optimizers.schedule(index).scheduler;
  if (s.needs_metric())
    s.step(metric);
  else
    s.step();
}

}  // namespace levin::core
