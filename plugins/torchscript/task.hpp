// The training of a network from a file: classification if the target of the data has classes, else regression.
#pragma once
#include <utility>
#include <variant>
#include <vector>

#include "levin/torch.hpp"
#include "network.hpp"

namespace torchscript {

// Its options are those of levin::classifier and levin::regressor. `loss` is null by default: cross_entropy for
// classes, mse for numbers.
class Task : public levin::detail::ModelBase {
  using Classification = levin::ClassificationTask<Network>;
  using Regression = levin::RegressionTask<Network>;

 public:
  explicit Task(const levin::Args& args);

  Network& module() {
    return std::visit([](auto& task) -> Network& { return task.module(); }, task_);
  }
  void set_run(levin_run* run) {
    ModelBase::set_run(run);
    std::visit([run](auto& task) { task.set_run(run); }, task_);
  }
  void configure_optimizers(levin::OptimPlan& plan) {
    std::visit([&](auto& task) { task.configure_optimizers(plan); }, task_);
  }
  torch::Tensor example_input() const { return levin::example_of(data()); }

  levin::Outputs training_step(const levin::Batch& batch) {
    return std::visit([&](auto& task) { return task.training_step(batch); }, task_);
  }
  levin::Outputs validation_step(const levin::Batch& batch, int64_t batch_idx, int64_t dataloader_idx);
  levin::Outputs test_step(const levin::Batch& batch, int64_t batch_idx, int64_t dataloader_idx);
  levin::Outputs predict_step(const levin::Batch& batch);

  static std::pair<const levin_option*, uint32_t> option_table();

 private:
  static std::variant<Classification, Regression> task_for(const levin::DataInfo& data, const levin::Args& args);

  std::variant<Classification, Regression> task_;
};

}  // namespace torchscript
