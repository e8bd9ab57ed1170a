#include "board/run_store.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "board/thinned.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "runs/run_files.hpp"

namespace levin::core::board {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using std::chrono::steady_clock;

constexpr auto between_reads = std::chrono::milliseconds(500);
constexpr auto between_searches = std::chrono::seconds(3);
constexpr int deepest = 4;
constexpr int64_t most_of_log = 64 << 10;
constexpr size_t most_of_text = 64 << 10;
constexpr const char* kind_names[] = {"scalar", "image", "audio", "text", "histogram"};

// Changes if the file does.
std::string stamp_of(const fs::path& file) {
  struct stat facts {};
  if (::stat(file.c_str(), &facts) != 0) return "-";
  return std::to_string(facts.st_ino) + "." + std::to_string(facts.st_size) + "." +
         std::to_string(facts.st_mtim.tv_sec) + "." + std::to_string(facts.st_mtim.tv_nsec);
}

std::string stamp_of_run(const fs::path& folder) {
  std::string out;
  for (const char* file : {"config.json", "metrics.csv", "log.txt", "checkpoints/index.json", "checkpoints"})
    out += stamp_of(folder / file) + " ";
  return out;
}

json count_or_null(const std::optional<int64_t>& value) { return value ? json(*value) : json(nullptr); }

}  // namespace

void RunStore::add(const fs::path& folder) {
  Run& run = runs_[folder.string()];
  run.folder = folder;
  run.seen = true;
}

void RunStore::find_runs(const fs::path& folder, int depth) {
  if (is_present(folder / "config.json") || has_event_files(folder)) return add(folder);
  if (depth == 0) return;
  std::error_code unknown;
  for (fs::directory_iterator at(folder, unknown), end; !unknown && at != end; at.increment(unknown)) {
    std::error_code ignored;
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) find_runs(at->path(), depth - 1);
  }
}

void RunStore::read(Run& run, const std::string& name) {
  std::string stamp = stamp_of_run(run.folder);
  const bool held = holds_lock(run.folder);
  if (stamp == run.stamp && held == (run.row.state == RunState::running)) return;
  run.row = read_run(run.folder, name);
  if (!is_present(run.folder / "config.json")) run.row.state = RunState::done;  // of another program
  run.settings.clear();
  try {
    if (is_present(run.folder / "config.json"))
      run.settings = options_of(parse_json(read_file(run.folder / "config.json"), "config.json"));
  } catch (const std::exception& e) {
    if (run.row.problem.empty()) run.row.problem = brief_json_error(e.what());
  }
  run.stamp = std::move(stamp);
}

void RunStore::refresh() {
  const auto now = steady_clock::now();
  if (now - refreshed_ < between_reads) return;
  if (now - searched_ >= between_searches) {
    for (auto& [path, run] : runs_) run.seen = false;
    for (const fs::path& folder : folders_) find_runs(folder, deepest);
    for (auto at = runs_.begin(); at != runs_.end();) at = at->second.seen ? std::next(at) : runs_.erase(at);
    searched_ = steady_clock::now();
  }
  for (auto& [path, run] : runs_) {
    std::string name = run.folder.filename().string();
    for (const fs::path& folder : folders_)
      if (const fs::path below = run.folder.lexically_relative(folder);
          !below.empty() && *below.begin() != ".." && below != ".")
        name = below.string();
    read(run, name);
  }
  refreshed_ = steady_clock::now();
}

json RunStore::runs() {
  const std::lock_guard lock(mutex_);
  refresh();
  std::vector<std::vector<RunOption>> settings;
  for (const auto& [path, run] : runs_)
    if (!run.settings.empty()) settings.push_back(run.settings);
  const std::vector<std::string> different = different_options(settings);
  json out = json::array();
  for (const auto& [path, run] : runs_) {
    const RunRow& row = run.row;
    json metrics = json::object(), options = json::object();
    for (const auto& [name, value] : row.metrics) metrics[name] = number_to_json(value);
    for (const std::string& name : different)
      if (const std::string value = value_of(run.settings, name); !value.empty()) options[name] = value;
    out.push_back({{"id", path},
                   {"name", row.name},
                   {"state", name_of(row.state)},
                   {"problem", row.problem},
                   {"epoch", count_or_null(row.epoch)},
                   {"step", count_or_null(row.step)},
                   {"best", row.best ? number_to_json(*row.best) : json(nullptr)},
                   {"monitor", row.monitor},
                   {"larger_is_better", row.larger_is_better},
                   {"model", value_of(run.settings, "model")},
                   {"data", value_of(run.settings, "data")},
                   {"metrics", metrics},
                   {"options", options}});
  }
  return out;
}

RunStore::Run* RunStore::updated(const std::string& id) {
  const auto found = runs_.find(id);
  if (found == runs_.end()) return nullptr;
  Run& run = found->second;
  if (!run.reader) run.reader = std::make_unique<MetricReader>(run.folder);
  run.reader->update();
  return &run;
}

json RunStore::metrics(const std::vector<std::string>& ids, size_t points) {
  const std::lock_guard lock(mutex_);
  json out = json::object();
  for (const std::string& id : ids) {
    const Run* run = updated(id);
    if (run == nullptr) continue;
    json& own = out[id] = json::object();
    const std::map<double, double>& times = run->reader->events().times();
    for (const auto& [name, history] : run->reader->metrics()) {
      json steps = json::array(), epochs = json::array(), minutes = json::array(), values = json::array();
      for (const size_t i : thinned(history.values, points)) {
        const auto time = times.find(history.steps[i]);
        steps.push_back(history.steps[i]);
        epochs.push_back(history.epochs[i]);
        minutes.push_back(time == times.end() ? json(nullptr) : json((time->second - times.begin()->second) / 60));
        values.push_back(history.values[i]);  // JSON has null for what is not finite
      }
      own[name] = {{"steps", std::move(steps)},
                   {"epochs", std::move(epochs)},
                   {"minutes", std::move(minutes)},
                   {"values", std::move(values)},
                   {"points", history.values.size()}};
    }
  }
  return out;
}

json RunStore::media(const std::vector<std::string>& ids) {
  const std::lock_guard lock(mutex_);
  json out = json::object();
  for (const std::string& id : ids) {
    const Run* run = updated(id);
    if (run == nullptr) continue;
    json& own = out[id] = json::array();
    for (const EventMedia& one : run->reader->events().media()) {
      json entry = {
          {"kind", kind_names[static_cast<size_t>(one.value.kind)]}, {"tag", one.value.tag}, {"step", one.value.step}};
      if (one.value.kind == EventKind::text)
        entry["text"] = printable(bytes_of_file(one.file, one.value.offset, std::min(one.value.length, most_of_text)));
      if (one.value.kind == EventKind::histogram)
        entry["lowest"] = one.value.lowest, entry["limits"] = one.value.limits, entry["counts"] = one.value.counts;
      own.push_back(std::move(entry));
    }
  }
  return out;
}

std::string RunStore::media_bytes(const std::string& id, size_t place) {
  const std::lock_guard lock(mutex_);
  const Run* run = updated(id);
  if (run == nullptr || place >= run->reader->events().media().size()) return "";
  const EventMedia& one = run->reader->events().media()[place];
  return bytes_of_file(one.file, one.value.offset, one.value.length);
}

json RunStore::details(const std::string& id) {
  const std::lock_guard lock(mutex_);
  refresh();
  const auto found = runs_.find(id);
  if (found == runs_.end()) return nullptr;
  const Run& run = found->second;
  json settings = json::array(), checkpoints = json::array();
  for (const RunOption& one : run.settings) settings.push_back({one.name, one.value, one.origin});
  try {
    if (is_folder(run.folder / "checkpoints"))
      for (const ckpt::RunFile& file : ckpt::run_files(run.folder))
        checkpoints.push_back({{"file", file.path.lexically_relative(run.folder).string()},
                               {"bytes", file.bytes},
                               {"best", file.best},
                               {"last", file.last}});
  } catch (const std::exception&) {  // the folder is going away
  }
  return {{"id", id},
          {"name", run.row.name},
          {"problem", run.row.problem},
          {"settings", settings},
          {"checkpoints", checkpoints},
          {"log", printable(end_of_file(run.folder / "log.txt", most_of_log))}};
}

}  // namespace levin::core::board
