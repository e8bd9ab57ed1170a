// A file path that only the processes of one job on this machine derive.
#pragma once
#include <string>

namespace levin::core {

// Returns the path of the job's file. `job` identifies the job. The file is in a private folder of this user below
// TMPDIR and need not exist yet. Throws Error{run} if the folder cannot be created or other users may change it.
std::string job_file(const std::string& job);

// Returns the process id and start time of the process of MPICH's launcher that is an ancestor of this one. They are
// unique since the machine was booted. Nothing else distinguishes the jobs of that launcher.
std::string hydra_proxy();

}  // namespace levin::core
