// Handles the restart of a job: a fit resumes in its earlier run folder.
#pragma once
#include "core/base/console/console.hpp"
#include "core/distributed/processes.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

// Takes the options that the run has saved if the host's launcher has restarted it. Records in the configuration which
// job this is: SLURM's (with trainer.requeue) or torchrun's. After a restart of the job, a fit resumes the run that the
// job began. A resumed run that began with --ckpt_path resumes from what it has saved since. Collective; rank 0
// decides.
void go_on_after_restart(RunSettings& settings, Processes& processes, Console& console);

}  // namespace levin::core
