// The further instances of the model that a strategy asks for, and the run that each of them meets in its steps.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "core/services/run.hpp"
#include "core/strategies/dp/replica.hpp"
#include "core/trainer/assembly/run_components.hpp"
#include "core/trainer/assembly/run_device.hpp"

namespace levin::core {

class RunReplicas : public Replicas {
 public:
  // Makes the instances, lets the hooks that set up a model reach them, and hands them to the strategy. Nothing happens
  // if it needs one instance alone. run: with its services. All arguments outlive this object. Throws Error that names
  // the replica.
  RunReplicas(levin_run& run, RunComponents& components, RunDevice& device, Dispatcher& hooks,
              const std::function<void(const std::string&)>& warn);
  ~RunReplicas() override;

  const std::vector<Model*>& models() const override { return models_; }
  levin_run* begin_step(size_t replica, StepRecord& record) override;
  void end_step(size_t replica) override;
  void log(LogOrigin origin, const levin_log& log, const std::optional<double>& step) override;

 private:
  struct Instance;
  levin_run& run_of(size_t replica);

  levin_run& run_;
  std::recursive_mutex turn_;
  std::vector<std::unique_ptr<Instance>> instances_;  // but the first
  std::vector<Model*> models_;
};

}  // namespace levin::core
