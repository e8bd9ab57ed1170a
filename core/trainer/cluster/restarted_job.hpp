// What a job's restart means for a run: a fit goes on in the run folder that it had before.
#pragma once
#include "core/base/console/console.hpp"
#include "core/distributed/processes.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

// Takes the options that the run has saved where the host's launcher has started it again. Notes in the configuration
// which job this is: of SLURM, with trainer.requeue, or of torchrun. In one that was started again makes a fit resume
// the run that it began, and a resumed one that began with --ckpt_path go on from what it has saved since. Collective;
// the first process decides.
void go_on_after_restart(RunSettings& settings, Processes& processes, Console& console);

}  // namespace levin::core
