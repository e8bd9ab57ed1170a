#include "core/trainer/cluster/slurm_job.hpp"

#include <algorithm>
#include <ctime>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"

namespace levin::core {
namespace {

// Returns the variable if it consists of digits, else "".
std::string digits(const EnvironmentVariables& variables, const char* name) {
  const auto found = variables.find(name);
  if (found == variables.end() || found->second.empty() || found->second.size() > 15) return "";
  return found->second.find_first_not_of("0123456789") == std::string::npos ? found->second : "";
}

std::optional<int64_t> number(const EnvironmentVariables& variables, const char* name) {
  const std::string text = digits(variables, name);
  return text.empty() ? std::nullopt : std::optional<int64_t>(std::stoll(text));
}

}  // namespace

std::optional<SlurmJob> slurm_job(const EnvironmentVariables& variables) {
  SlurmJob job;
  const std::string array = digits(variables, "SLURM_ARRAY_JOB_ID"), task = digits(variables, "SLURM_ARRAY_TASK_ID");
  job.id = array.empty() || task.empty() ? digits(variables, "SLURM_JOB_ID") : array + "_" + task;
  if (job.id.empty()) return std::nullopt;
  job.restarts = number(variables, "SLURM_RESTART_COUNT").value_or(0);
  job.end = number(variables, "SLURM_JOB_END_TIME");
  if (job.end == 0) job.end.reset();
  return job;
}

std::optional<int64_t> end_in_text(const std::string& text) {
  constexpr std::string_view key = " EndTime=";
  const size_t at = text.find(key);
  std::tm local{};
  if (at == std::string::npos || strptime(text.c_str() + at + key.size(), "%Y-%m-%dT%H:%M:%S", &local) == nullptr)
    return std::nullopt;
  local.tm_isdst = -1;
  const std::time_t end = std::mktime(&local);
  return end > 0 ? std::optional<int64_t>(end) : std::nullopt;
}

std::optional<int64_t> end_of_job(const SlurmJob& job, const std::string& scontrol) {
  const ChildResult result = run_child({scontrol, "show", "job", "--oneliner", job.id}, std::chrono::seconds(10));
  return result.exit_code == 0 ? end_in_text(result.out) : std::nullopt;
}

void requeue(const SlurmJob& job, const std::string& scontrol) {
  const ChildResult result = run_child({scontrol, "requeue", job.id}, std::chrono::seconds(60));
  if (result.exit_code == 0) return;
  const std::string said = trim(result.err);
  throw Error(ErrorCode::cluster_refused,
              scontrol + " requeue " + job.id + ": " +
                  (result.timed_out ? "no answer in 60 seconds"
                   : said.empty()   ? "it failed with code " + std::to_string(result.exit_code)
                                    : said));
}

JobEnd::JobEnd(int64_t end, Clock::time_point now)
    : end_(std::chrono::seconds(end)),
      reserve_(std::clamp<Clock::duration>((end_ - now) / 10, Clock::duration::zero(), std::chrono::minutes(1))) {}

bool JobEnd::is_near(Clock::time_point now) {
  if (last_) longest_ = std::max(longest_, now - *last_);
  last_ = now;
  return end_ - now <= reserve_ + longest_;
}

}  // namespace levin::core
