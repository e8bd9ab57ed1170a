// The run folders in levin_logs of the current folder, and their checkpoints.
#pragma once
#include <string>
#include <vector>

#include "host/complete/completion.hpp"

namespace levin::core {

// Each adds folders, the newest first: those of runs, of jobs of tasks, and of sweeps.
void add_run_folders(Completion& out);
void add_task_folders(Completion& out);
void add_sweep_folders(Completion& out);

// Adds the checkpoints of these runs, at most some 100. Without a run: those of the newest runs in levin_logs.
void add_checkpoints(std::vector<std::string> runs, Completion& out);

}  // namespace levin::core
