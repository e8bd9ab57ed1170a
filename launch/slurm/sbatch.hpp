// Calls of sbatch.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace levin::core {

// Removes the SLURM variables of a surrounding job from this process's environment: a new job would inherit them, such
// as task number and restart count. No other thread may be running.
void forget_surrounding_job();

// Submits the script. Returns the job id. Throws Error{run} with sbatch's message.
std::string call_sbatch(const std::string& sbatch, const std::filesystem::path& script,
                        const std::vector<std::string>& arguments);

// Returns the job id from the output of `sbatch --parsable`, "17" or "17;cluster"; "" if there is none.
std::string job_id_in(const std::string& printed);

}  // namespace levin::core
