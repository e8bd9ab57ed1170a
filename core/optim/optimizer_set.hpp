// The optimizers and schedules of a run, made as the model's configure_optimizers requested.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/components/model.hpp"
#include "core/optim/lr_schedulers/scheduler_registry.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

struct ScheduleConfig {
  std::unique_ptr<LrScheduler> scheduler;
  uint32_t optimizer = 0;
  bool by_step = false;  // false: it is stepped by epoch
  int64_t frequency = 1;
  std::string monitor;
  bool strict = true;
  std::string label;
  bool paused = false;  // not stepped, because a callback controls the learning rates
};

class OptimizerSet {
 public:
  // Makes an optimizer that is not built in, or returns nullptr if no plugin has it.
  using Factory = std::function<std::unique_ptr<Optimizer>(const std::string& name, const nlohmann::json& options,
                                                           std::vector<ParamGroup> groups)>;
  explicit OptimizerSet(Factory factory) : factory_(std::move(factory)) {}

  // Calls the model's configure_optimizers. `step_total` and `epoch_total` are how many times schedules will be
  // stepped, or 0 if unknown.
  void configure(const Model& model, levin_run* run, StepTotal step_total, StepTotal epoch_total);

  // Optimizers that are made from now on have their learning rates times this.
  void scale_rates(double factor) { lr_scaling_ = factor; }
  // The optimizers and schedules have those of a checkpoint, which were times another factor.
  void scale_loaded_optimizers(double factor_before);
  void scale_loaded_schedules(double factor_before);

  std::vector<std::unique_ptr<Optimizer>>& optimizers() { return optimizers_; }
  std::vector<ScheduleConfig>& schedules() { return schedules_; }
  Optimizer& optimizer(uint32_t index);                                     // throws Error{usage}
  const std::vector<int64_t>& frequencies() const { return frequencies_; }  // of each optimizer; 0 if it has none
  ScheduleConfig& schedule(uint32_t index);
  void add_group(uint32_t optimizer, const levin_group_desc& desc, const Model& model);
  // Makes the parameters of the other optimizers stop requiring grad, or undoes this if `on` is false.
  void toggle(uint32_t index, bool on);

  nlohmann::json schedules_state() const;
  void load_schedules_state(const nlohmann::json& state);

 private:
  struct Plan;
  void add_optimizer(const levin_optimizer_desc& desc, const Model& model);
  void add_scheduler(const levin_scheduler_desc& desc, const StepTotal& step_total, const StepTotal& epoch_total);

  void scale_last();
  bool has_own_rates(size_t optimizer) const;

  Factory factory_;
  double lr_scaling_ = 1;
  std::vector<std::unique_ptr<Optimizer>> optimizers_;
  std::vector<int64_t> frequencies_;
  std::vector<ScheduleConfig> schedules_;
  std::vector<std::pair<at::Tensor, bool>> toggled_;
};

}  // namespace levin::core
