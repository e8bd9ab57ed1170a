// A run in a SLURM job: it stops before the job ends, is requeued, and resumes when SLURM starts the job again.
#pragma once
#include <optional>
#include <string>

#include "core/base/console/console.hpp"
#include "core/distributed/processes.hpp"
#include "core/trainer/assembly/run_settings.hpp"
#include "core/trainer/cluster/slurm_job.hpp"

namespace levin::core {

class ClusterJob {
 public:
  // first: true on rank 0, which handles the job for all processes. Throws Error{usage} if trainer.requeue cannot work
  // here.
  ClusterJob(const RunSettings& settings, bool first, Console& console);
  // Call it after each batch. Asks the run to stop shortly before the job ends, as SIGUSR1 does.
  void after_batch();
  // Call it after a run stopped by this signal is saved and everything is written. With trainer.requeue, the job is
  // requeued after SIGUSR1. It is not requeued after SIGTERM, because jobs are cancelled with that signal.
  void stopped_by(int signal);

 private:
  Console& console_;
  std::optional<SlurmJob> job_;
  std::optional<JobEnd> end_;
  std::string scontrol_;  // "" = the job is not requeued
};

// Takes the options that the run has saved if the host's launcher has restarted it. Records in the configuration which
// job this is: SLURM's (with trainer.requeue) or torchrun's. After a restart of the job, a fit resumes the run that the
// job began. A resumed run that began with --ckpt_path resumes from what it has saved since. Collective; rank 0
// decides.
void go_on_after_restart(RunSettings& settings, Processes& processes, Console& console);

}  // namespace levin::core
