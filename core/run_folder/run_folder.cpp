#include "core/run_folder/run_folder.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/checkpoint_folder.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
constexpr const char* prefix = "version_";

int64_t number_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!starts_with(name, prefix)) return -1;
  const std::string digits = name.substr(std::string(prefix).size());
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return -1;
  return std::stoll(digits);
}

int64_t highest_number(const fs::path& folder) {
  int64_t highest = -1;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    highest = std::max(highest, number_of(entry.path()));
  return highest;
}

struct KnownRun {
  fs::path path;
  int64_t number;  // -1: the folder has a name instead of a number
  fs::file_time_type changed;
};

// Returns when the run's folder or its checkpoints folder last changed.
fs::file_time_type changed(const fs::path& run) {
  std::error_code missing;
  const fs::file_time_type own = fs::last_write_time(run, missing);
  const fs::file_time_type saved = fs::last_write_time(run / "checkpoints", missing);
  return missing ? own : std::max(own, saved);
}

// Sorts by version number, or by time if any run has a name instead of a number.
std::vector<KnownRun> runs_newest_first(const fs::path& folder) {
  std::vector<KnownRun> runs;
  bool named = false;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const int64_t number = number_of(entry.path());
    if (!fs::is_directory(number < 0 ? entry.path() / "checkpoints" : entry.path(), ignored)) continue;
    named = named || number < 0;
    runs.push_back({entry.path(), number, changed(entry.path())});
  }
  std::sort(runs.begin(), runs.end(), [named](const KnownRun& a, const KnownRun& b) {
    return named && a.changed != b.changed ? a.changed > b.changed : a.number > b.number;
  });
  return runs;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

fs::path folder_of_version(const fs::path& runs, const std::string& version) {
  return runs / (is_number(version) ? prefix + version : version);
}

std::vector<std::string> newest_first(std::vector<RunCheckpoint> oldest_first) {
  std::vector<std::string> paths;
  for (auto c = oldest_first.rbegin(); c != oldest_first.rend(); ++c) paths.push_back(std::move(c->path));
  return paths;
}

[[noreturn]] void cannot_make(const std::string& problem) {
  throw Error(ErrorKind::run, problem + "; give another folder with --trainer.default_root_dir");
}

// Each folder is in its parent for good before anything counts on it.
void make_durable(const fs::path& folder) try { make_folders(folder.string()); } catch (const Error& e) {
  cannot_make(e.what());
}

}  // namespace

fs::path RunName::folder_in(const fs::path& root) const { return folder.empty() ? root : root / folder; }

RunName run_name(const RunPlan& plan) { return {plan.log_name, plan.log_version}; }

RunFolder RunFolder::make(const fs::path& root, const RunName& name) {
  const fs::path folder = name.folder_in(root);
  std::error_code problem;
  make_durable(folder);
  if (name.version) {
    const fs::path path = folder_of_version(folder, *name.version);
    make_durable(path / "checkpoints");
    return RunFolder(path);
  }
  for (int64_t n = highest_number(folder) + 1;; ++n) {
    const fs::path path = folder / (std::string(prefix).append(std::to_string(n)));
    if (problem = {}; fs::create_directory(path, problem)) {
      make_durable(path / "checkpoints");
      sync_file(path);
      return RunFolder(path);
    }
    if (problem) cannot_make(path.string() + ": " + problem.message());
  }
}

bool RunFolder::taken(const fs::path& root, const RunName& name) {
  if (!name.version) return false;
  std::error_code ignored;
  return fs::exists(folder_of_version(name.folder_in(root), *name.version) / "config.json", ignored);
}

RunFolder RunFolder::open(const fs::path& folder) {
  if (!fs::is_directory(folder)) throw Error(ErrorKind::usage, folder.string() + " is not the folder of a run");
  return RunFolder(folder);
}

void RunFolder::save_config(const nlohmann::json& config) {
  if (held_) return hold_config(config);
  write_file_durable(path_ / "config.json", config.dump(2) + "\n");
}

void RunFolder::keep_config() {
  if (held_) save_config(*std::exchange(held_, std::nullopt));
}

void RunFolder::remove_leftovers() const {
  const fs::path durably_written[] = {path_ / "config.json", path_ / "profile.txt", path_ / "trace.json", index_file()};
  for (const fs::path& file : durably_written) remove_unfinished(file);
  remove_stale_temporaries(checkpoints().string());
}

nlohmann::json RunFolder::config() const {
  if (held_) return *held_;
  const std::string file = (path_ / "config.json").string();
  return parse_json(read_file(file), file);
}

bool RunFolder::of_model(const std::string& component) const try {
  return config().at("model").at("component") == component;
} catch (const std::exception&) {
  return true;
}

std::optional<fs::path> find_run(const RunSearch& runs, const std::function<bool(const nlohmann::json&)>& accepts) {
  for (const KnownRun& known : runs_newest_first(runs.folder)) try {
      const RunFolder run = RunFolder::open(known.path);
      if (run.of_model(runs.model) && accepts(run.config())) return known.path;
    } catch (const std::exception&) {
    }
  return std::nullopt;
}

std::optional<std::string> find_checkpoint(const std::string& ckpt_path, const std::optional<RunFolder>& folder,
                                           const RunSearch& runs, const std::function<void(const std::string&)>& warn) {
  if (ckpt_path != "best" && ckpt_path != "last") return ckpt_path;
  std::vector<fs::path> paths;
  if (folder)
    paths.push_back(folder->path());
  else
    for (KnownRun& run : runs_newest_first(runs.folder)) paths.push_back(std::move(run.path));
  for (const fs::path& path : paths) {
    const RunFolder run = RunFolder::open(path);
    if (!folder && !runs.model.empty() && !run.of_model(runs.model)) continue;
    if (ckpt_path == "best") {
      if (const std::string problem = run.index_problem(); !problem.empty()) warn(problem);
      if (auto found = run.announced("best")) return found;
      continue;
    }
    std::vector<DamagedCheckpoint> damaged;
    auto found = first_valid(newest_first(run.list()), &damaged);
    for (const DamagedCheckpoint& d : damaged) warn("passed over a damaged checkpoint: " + d.reason);
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace levin::core
