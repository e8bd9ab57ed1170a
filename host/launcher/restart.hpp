// Starting a run again after the loss of a rank (--trainer.max_restarts).
#pragma once
#include "core/config/run_config.hpp"
#include "host/launcher/world_run.hpp"

namespace levin::core {

// Not after a signal that asked the run to stop, and not after mistakes in options, plugins, data, checkpoints or
// numbers, which would come again.
bool may_restart(const WorldEnd& end);

// Whether the run that began so has a checkpoint of its own, said by it or seen in its folder.
bool has_checkpoint(const RunConfig& begun, const WorldEnd& end);

// The run as the next attempt has to do it: what was saved goes on as `host resume` would, in the same folder. Secrets
// and what was asked for on the command line stay.
RunConfig restarted(RunConfig config, const WorldEnd& end);

}  // namespace levin::core
