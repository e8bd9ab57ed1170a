#include "host/complete/run_folders.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace levin::core {
namespace {

namespace fs = std::filesystem;
constexpr const char* logs = "levin_logs";

// Returns the folders in levin_logs that have this file, the newest first.
std::vector<std::string> folders_with(const char* file) {
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  std::error_code error;
  for (fs::directory_iterator it(logs, error), end; !error && it != end; it.increment(error)) {
    std::error_code missing;
    const fs::file_time_type time = fs::last_write_time(it->path() / file, missing);
    if (!missing) found.emplace_back(time, it->path().string());
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> out;
  for (auto& [time, folder] : found) out.push_back(std::move(folder));
  return out;
}

}  // namespace

void add_run_folders(Completion& out) {
  for (const std::string& folder : folders_with("config.json")) out.add(folder);
}

void add_task_folders(Completion& out) {
  for (const std::string& folder : folders_with("ledger.db")) out.add(folder);
}

void add_sweep_folders(Completion& out) {
  for (const std::string& folder : folders_with("study.journal")) out.add(folder);
}

void add_checkpoints(std::vector<std::string> runs, Completion& out) {
  constexpr size_t most = 100;
  if (runs.empty()) runs = folders_with("config.json");
  if (runs.size() > most) runs.resize(most);
  const size_t before = out.candidates.size();
  for (const std::string& folder : runs) {
    std::error_code error;
    for (fs::directory_iterator it(fs::path(folder) / "checkpoints", error), end; !error && it != end;
         it.increment(error))
      if (it->path().extension() == ".ckpt") out.add(it->path().string());
    if (out.candidates.size() > before + most) return;
  }
}

}  // namespace levin::core
