#include "core/trainer/cluster/torchrun_job.hpp"

#include <algorithm>
#include <filesystem>

#include "core/base/text.hpp"

namespace levin::core {
namespace {

std::string text(const EnvironmentVariables& variables, const char* name) {
  const auto found = variables.find(name);
  return found == variables.end() ? "" : found->second;
}

// The file is AGENT/attempt_0/1/error.json.
std::string folder_of_agent(const EnvironmentVariables& variables) {
  const std::filesystem::path file = text(variables, "TORCHELASTIC_ERROR_FILE");
  return file.parent_path().parent_path().parent_path().string();
}

}  // namespace

bool TorchrunJob::has_id_of(const std::string& text) const {
  return !id.empty() && id != "none" && starts_with(text, id + " ");
}

TorchrunJob torchrun_job(const EnvironmentVariables& variables, Processes& processes) {
  TorchrunJob job;
  if (variables.count("TORCHELASTIC_RUN_ID") == 0 || processes.launcher().open()) return job;
  const std::string count = text(variables, "TORCHELASTIC_RESTART_COUNT");
  const auto counts = processes.group().all_gather_bytes(count);
  job.restarted = std::any_of(counts.begin(), counts.end(), [](const std::string& n) { return n != "" && n != "0"; });
  job.id = text(variables, "TORCHELASTIC_RUN_ID");
  job.agent = processes.of_first(folder_of_agent(variables));
  return job;
}

}  // namespace levin::core
