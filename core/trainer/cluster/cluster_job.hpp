// A run in a job of SLURM: it stops in time before the job ends, goes back into the queue, and goes on when SLURM
// starts the job again.
#pragma once
#include <optional>
#include <string>

#include "core/base/console/console.hpp"
#include "core/trainer/assembly/run_settings.hpp"
#include "core/trainer/cluster/slurm_job.hpp"

namespace levin::core {

class ClusterJob {
 public:
  // first: this process is the first of the run, which sees to the job for all of them. Throws Error{usage} if
  // trainer.requeue cannot work here.
  ClusterJob(const RunSettings& settings, bool first, Console& console);
  // Call it after each batch. Asks the run to stop, as SIGUSR1 does, shortly before the job ends.
  void after_batch();
  // Call it once a run that stopped by this signal is saved and everything is written: with trainer.requeue the job
  // goes back into the queue after SIGUSR1. After SIGTERM it does not, because that is how jobs are cancelled.
  void stopped_by(int signal);

 private:
  Console& console_;
  std::optional<SlurmJob> job_;
  std::optional<JobEnd> end_;
  std::string scontrol_;  // "": the job is not put back
};

}  // namespace levin::core
