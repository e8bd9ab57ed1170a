#include "launch/slurm/sbatch.hpp"

#include <stdlib.h>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"

namespace levin::core {

void forget_surrounding_job() {
  for (const auto& [name, value] : environment_variables())
    if (starts_with(name, "SLURM_") && !starts_with(name, "SLURM_CONF") && name != "SLURM_JWT")
      ::unsetenv(name.c_str());
}

std::string job_id_in(const std::string& printed) {
  const std::string last = split(trim(printed), '\n').back();
  const std::string id = last.substr(0, last.find(';'));
  return id.find_first_not_of("0123456789") == std::string::npos ? id : "";
}

std::string call_sbatch(const std::string& sbatch, const std::filesystem::path& script,
                        const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {sbatch, "--parsable"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.push_back(script.string());
  const ChildResult result = run_child(command, std::chrono::minutes(2), ChildEnvironment::same);
  if (result.timed_out)
    throw Error(ErrorCode::cluster_refused,
                "sbatch did not answer within 2 minutes; the job may be queued anyway: see squeue");
  const std::string id = job_id_in(result.out);
  if (result.exit_code == 0 && !id.empty()) return id;
  const std::string said = trim(result.err.empty() ? result.out : result.err);
  throw Error(
      ErrorCode::cluster_refused,
      "sbatch refused the job: " + (said.empty() ? "it ended with code " + std::to_string(result.exit_code) : said));
}

}  // namespace levin::core
