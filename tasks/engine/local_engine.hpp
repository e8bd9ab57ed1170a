// Tasks on this machine: the driver hands them to worker processes itself.
#pragma once
#include <functional>
#include <memory>

#include "tasks/engine/engine.hpp"
#include "tasks/engine/worker_process.hpp"

namespace levin::core::tasks {

class LocalEngine : public Engine {
 public:
  explicit LocalEngine(WorkerPlan plan);
  size_t room() const override;
  size_t idle() const override { return room(); }
  bool takes(const Needs& needs, const Amounts& kept) const override { return pool_.fits(needs, kept); }
  std::string unmet(const Needs& needs) const override;
  void cancel(uint64_t index) override;
  void submit(QueuedTask task) override;
  size_t running() const override { return workers_.size() - room(); }
  std::vector<TaskEvent> wait(std::chrono::milliseconds time, int wake) override;
  void stop() override;

 private:
  WorkerProcess& free_worker(const Needs& needs);
  const WorkerPlan plan_;
  ResourcePool pool_;
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
};

// Runs read or sum in a process of its own, without a time limit. Asks `stop` when `wake` is readable; returns nullopt
// if it says so before the call has ended.
std::optional<CallEnd> call_alone(WorkerPlan plan, Frame call, int wake, const std::function<bool()>& stop);

}  // namespace levin::core::tasks
