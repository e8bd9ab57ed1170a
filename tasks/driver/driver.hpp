// One job from its file of tasks to its output: reads the tasks, lets a scheduler handle them, and sums. Everything
// that it has recorded is kept when it is killed.
#pragma once
#include <memory>
#include <optional>

#include "launch/common/descriptor.hpp"
#include "tasks/common/job.hpp"
#include "tasks/common/job_files.hpp"
#include "tasks/driver/stop_request.hpp"
#include "tasks/engine/local_engine.hpp"
#include "tasks/ledger/ledger.hpp"

namespace levin::core::tasks {

class Driver {
 public:
  // Takes the lock of the run folder. Throws Error{run} if another driver has it.
  Driver(JobFiles files, bool terminal);
  // Begins a job, or goes on with one. Returns the exit code: 0 = the output is there, 1 = a task or sum has failed, or
  // that of the signal that stopped it.
  int run(const JobSettings& settings);

  static bool runs(const JobFiles& files);  // true if a driver has the lock of the run folder
  // The settings of a job that goes on. Throws Error{usage} if the folder has none.
  static JobSettings settings_of(const JobFiles& files);

 private:
  WorkerPlan plan() const;
  std::unique_ptr<Engine> make_engine();
  std::optional<CallEnd> call_alone(Frame call);
  // Each returns false if a signal, or a task that failed, came first.
  bool read();
  void import();  // what read has written
  bool handle();
  bool sum();
  int give_up_or_stop(const std::string& what);

  const JobFiles files_;
  Descriptor lock_;
  std::unique_ptr<Ledger> ledger_;
  JobSettings settings_;
  const bool terminal_;
  StopRequest stop_;
  TaskCounts counts_;
};

}  // namespace levin::core::tasks
