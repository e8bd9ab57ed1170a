// The additional model instances that a strategy needs, and the levin_run that each of them gets in its steps.
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
  // Creates the instances, makes them reachable for the hooks that set up a model, and passes them to the strategy.
  // Does nothing if the strategy needs only one instance. run: with its services. All arguments must outlive this
  // object. Throws Error that names the replica.
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
  std::vector<std::unique_ptr<Instance>> instances_;  // all but the first
  std::vector<Model*> models_;
};

}  // namespace levin::core
