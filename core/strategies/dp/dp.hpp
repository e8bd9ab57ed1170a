// Data parallel in one process: each device has an instance of the model, and the rows of each batch are split among
// them. Like PyTorch's DataParallel. On the CPU the devices are threads.
#pragma once
#include <memory>
#include <vector>

#include "core/config/trainer/run_plan.hpp"
#include "core/distributed/processes.hpp"
#include "core/strategies/common/strategy.hpp"
#include "core/strategies/dp/batch_parts.hpp"
#include "core/strategies/dp/replica_threads.hpp"
#include "core/strategies/dp/replicated_model.hpp"

namespace levin::core {

class DpStrategy : public Strategy {
 public:
  // devices: of the process; the first has the trained model. Throws Error{usage} for several processes, and for
  // options that dp does not support.
  DpStrategy(const RunPlan& plan, std::vector<at::Device> devices, Processes& processes);
  const char* name() const override { return "dp"; }
  at::Device device() const override { return devices_.front(); }
  std::vector<at::Device> devices() const override { return devices_; }
  ProcessGroup& processes() const override { return group_; }

  std::unique_ptr<Model> make_model(const MakeModel& make) override;  // before place() and all that follows
  std::map<std::string, at::Generator> further_generators() const override;
  void place(Model& model, at::ScalarType dtype) override;
  void begin(const Model& model) override;
  void step(const ModelStep& step) override;
  void after_backward() override;

 private:
  struct Outcome;
  void run_parts(const ModelStep& step, const BatchParts& parts, Outcome& outcome);
  void run_part(size_t replica, const ModelStep& step, const BatchParts& parts, Outcome& outcome);
  void give_hiddens(size_t replica, levin_step_1x& in);
  void keep_hiddens(Outcome& outcome);
  void log(const ModelStep& step, const BatchParts& parts, Outcome& outcome);
  [[noreturn]] void rethrow(size_t replica, const std::exception_ptr& thrown) const;

  const std::vector<at::Device> devices_;
  ProcessGroup& group_;
  at::Device output_device_;
  ReplicatedModel* model_ = nullptr;
  std::vector<at::Generator> generators_;  // of each replica except the first, which uses LibTorch's own
  ReplicaThreads threads_;
  // Hidden states of truncated back-propagation through time, per replica: of the previous split, and of the current
  // one.
  std::vector<std::vector<at::Tensor>> hiddens_, made_hiddens_;
  std::vector<std::vector<levin_tensor*>> hidden_handles_;
  int64_t split_ = -1;
};

}  // namespace levin::core
