// Calls sbatch.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace levin::core {

// The path of the program. Throws Error{usage} if there is none.
std::string find_sbatch();

// Submits the script in its folder, which becomes this process's current folder and the job's. The arguments are those
// of the options, which so rank above the variables SBATCH_*. Returns the id of the job. Throws Error{run} with what
// sbatch says.
std::string call_sbatch(const std::string& sbatch, const std::filesystem::path& script,
                        const std::vector<std::string>& arguments);

// Of what `sbatch --parsable` prints, "17" or "17;cluster": the id. "": there is none.
std::string job_id_in(const std::string& printed);

}  // namespace levin::core
