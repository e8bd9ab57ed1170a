// The optimizers and schedules that the model's configure_optimizers requested.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/components/model.hpp"
#include "core/optim/lr_schedulers/lr_scheduler.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

struct ScheduleConfig {
  std::unique_ptr<LrScheduler> scheduler;
  uint32_t optimizer = 0;
  bool by_step = false;  // false = stepped by epoch
  int64_t frequency = 1;
  std::string monitor;
  bool strict = true;
  std::string label;
  bool paused = false;  // not stepped: a callback controls the learning rates
};

class OptimizerSet {
 public:
  // Makes a plugin's optimizer; returns nullptr if no plugin has it.
  using Factory = std::function<std::unique_ptr<Optimizer>(const std::string& name, const nlohmann::json& options,
                                                           std::vector<ParamGroup> groups)>;
  explicit OptimizerSet(Factory factory) : factory_(std::move(factory)) {}

  // Calls the model's configure_optimizers. step_total, epoch_total: the number of times schedules will be stepped; 0 =
  // unknown.
  void configure(const Model& model, levin_run* run, StepTotal step_total, StepTotal epoch_total);

  // Sets the factor by which the learning rates of optimizers made later are multiplied.
  void scale_rates(double factor) { lr_scaling_ = factor; }
  // Rescale the learning rates loaded from a checkpoint, which were multiplied by `factor_before`.
  void scale_loaded_optimizers(double factor_before);
  void scale_loaded_schedules(double factor_before);

  std::vector<std::unique_ptr<Optimizer>>& optimizers() { return optimizers_; }
  std::vector<ScheduleConfig>& schedules() { return schedules_; }
  Optimizer& optimizer(uint32_t index);                                     // throws Error{usage}
  const std::vector<int64_t>& frequencies() const { return frequencies_; }  // per optimizer; 0 = none
  ScheduleConfig& schedule(uint32_t index);
  void add_group(uint32_t optimizer, const levin_group_desc& desc, const Model& model);
  // Sets requires_grad of the other optimizers' parameters to false, or restores it if `on` is false.
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
