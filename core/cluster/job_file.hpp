// A file of which the processes of one job on this machine know, and nobody else's do.
#pragma once
#include <string>

namespace levin::core {

// job: what tells the job from all others. The file lies in a folder of this user alone, under TMPDIR; it may not exist
// yet. Throws Error{run} if the folder cannot be made or is not this user's.
std::string job_file(const std::string& job);

// The process of MPICH's launcher that is an ancestor of this one, as a text that names no other process since the
// machine was started. Only this tells the jobs of that launcher apart.
std::string hydra_proxy();

}  // namespace levin::core
