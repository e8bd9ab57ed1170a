#include "board/run_store.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>

#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "runs/followed_file.hpp"
#include "runs/own_file.hpp"
#include "runs/run_files.hpp"

namespace levin::core::board {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds between_reads{500}, between_searches{3000}, patience{100};
constexpr int deepest = 4;

std::string stamp_of_run(const fs::path& folder) {
  std::string out = holds_lock(folder) ? "running " : "";
  for (const char* file : {"config.json", "metrics.csv", "log.txt", "checkpoints/index.json", "checkpoints"})
    out += stamp_of(folder / file) + " ";
  return out;
}

json count_or_null(const std::optional<int64_t>& value) { return value ? json(*value) : json(nullptr); }

// "2026-11-26T23:59:27.796" at the beginning of a log; "" if there is none.
std::string first_time(const fs::path& run) {
  if (!is_own_file(run, run / "log.txt")) return "";
  const std::string text = bytes_of_file(run / "log.txt", 0, 19);
  return text.size() == 19 && text[10] == 'T' ? printable(text) : "";
}

double seconds_since(const std::string& begin, const fs::path& run) {
  std::tm parts{};
  if (begin.empty() || ::strptime(begin.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr) return 0;
  parts.tm_isdst = -1;
  const std::time_t from = std::mktime(&parts);
  std::time_t last = from;
  for (const char* file : {"log.txt", "metrics.csv"}) {
    struct stat facts {};
    if (::stat((run / file).c_str(), &facts) == 0) last = std::max(last, facts.st_mtim.tv_sec);
  }
  return std::difftime(last, from);
}

size_t ranks_in(const fs::path& run) {
  size_t n = 1;
  while (n < 4096 && is_file(run / ("log.rank-" + std::to_string(n) + ".txt"))) ++n;
  return n;
}

}  // namespace

RunStore::RunStore(std::vector<fs::path> folders) : folders_(std::move(folders)), thread_([this] { work(); }) {}

RunStore::~RunStore() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool RunStore::ends() {
  const std::lock_guard lock(mutex_);
  return ends_;
}

void RunStore::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || asked_ > answered_; });
    if (ends_) return;
    const uint64_t asked = asked_;
    lock.unlock();
    try {
      refresh();
    } catch (const std::exception&) {  // no memory, or a folder is going away: the next call tries again
    }
    lock.lock();
    answered_ = asked;
    changed_.notify_all();
  }
}

void RunStore::find_runs(const fs::path& folder, int depth, Runs& found) {
  if (ends()) return;
  if (is_present(folder / "config.json") || has_event_files(folder)) {
    const auto before = found_.find(folder.string());
    found[folder.string()] = before == found_.end() ? nullptr : before->second;
    return;
  }
  if (depth == 0) return;
  std::error_code unknown;
  for (fs::directory_iterator at(folder, unknown), end; !unknown && at != end; at.increment(unknown)) {
    std::error_code ignored;
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) find_runs(at->path(), depth - 1, found);
  }
}

std::string RunStore::name_of_run(const fs::path& folder) const {
  std::string name = folder.filename().string();
  for (const fs::path& above : folders_)
    if (const fs::path below = folder.lexically_relative(above);
        !below.empty() && *below.begin() != ".." && below != ".")
      name = below.string();
  return name;
}

// Returns the run as it was before if its files have not changed.
std::shared_ptr<const RunStore::Run> RunStore::read(const fs::path& folder, const std::string& name,
                                                    const std::shared_ptr<const Run>& before) {
  std::string stamp = stamp_of_run(folder);
  if (before && before->stamp == stamp) return before;
  auto run = std::make_shared<Run>();
  run->folder = folder;
  run->stamp = std::move(stamp);
  run->row = read_run(folder, name);
  const bool has_config = is_present(folder / "config.json");
  if (!has_config) run->row.state = RunState::done;  // of another program
  try {
    if (has_config)
      run->settings = options_of(parse_json(read_own_file(folder, folder / "config.json"), "config.json"));
  } catch (const std::exception& e) {
    if (run->row.problem.empty()) run->row.problem = brief_json_error(e.what());
  }
  run->started = first_time(folder);
  run->seconds = seconds_since(run->started, folder);
  run->ranks = ranks_in(folder);
  return run;
}

void RunStore::refresh() {
  if (steady_clock::now() - refreshed_ < between_reads) return;
  if (steady_clock::now() - searched_ >= between_searches) {
    Runs found;
    for (const fs::path& folder : folders_) find_runs(folder, deepest, found);
    found_ = std::move(found);
    searched_ = steady_clock::now();
  }
  auto published = steady_clock::now();
  for (auto& [path, run] : found_) {
    if (ends()) return;
    run = read(path, name_of_run(path), run);
    if (steady_clock::now() - published < patience) continue;
    publish(false);
    published = steady_clock::now();
  }
  publish(true);
  refreshed_ = steady_clock::now();
}

// Runs that are found and have not been read yet are left out, unless an earlier call had them.
void RunStore::publish(bool whole) {
  const std::lock_guard lock(mutex_);
  runs_ = found_;
  reading_ = !whole;
  for (auto at = runs_.begin(); at != runs_.end();) at = at->second ? std::next(at) : runs_.erase(at);
  for (auto at = histories_.begin(); at != histories_.end();)
    at = found_.count(at->first) != 0 ? std::next(at) : histories_.erase(at);
}

json RunStore::runs() {
  Runs runs;
  bool reading = false;
  {
    std::unique_lock lock(mutex_);
    const uint64_t mine = ++asked_;
    changed_.notify_all();
    changed_.wait_for(lock, patience, [&] { return answered_ >= mine; });
    runs = runs_;
    reading = reading_;
  }
  std::vector<std::vector<RunOption>> settings;
  for (const auto& [path, run] : runs)
    if (!run->settings.empty()) settings.push_back(run->settings);
  const std::vector<std::string> different = different_options(settings);
  json out = json::array();
  for (const auto& [path, run] : runs) {
    const RunRow& row = run->row;
    json metrics = json::object(), options = json::object();
    for (const auto& [name, value] : row.metrics) metrics[name] = number_to_json(value);
    for (const std::string& name : different)
      if (const std::string value = value_of(run->settings, name); !value.empty()) options[name] = value;
    out.push_back({{"id", path},
                   {"name", row.name},
                   {"state", name_of(row.state)},
                   {"code", row.code},
                   {"problem", row.problem},
                   {"epoch", count_or_null(row.epoch)},
                   {"step", count_or_null(row.step)},
                   {"best", row.best ? number_to_json(*row.best) : json(nullptr)},
                   {"monitor", row.monitor},
                   {"larger_is_better", row.larger_is_better},
                   {"started", run->started},
                   {"seconds", run->seconds},
                   {"ranks", run->ranks},
                   {"model", value_of(run->settings, "model")},
                   {"data", value_of(run->settings, "data")},
                   {"metrics", metrics},
                   {"options", options}});
  }
  return {{"runs", std::move(out)}, {"reading", reading}};
}

std::shared_ptr<const RunStore::Run> RunStore::find(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(id);
  return found == runs_.end() ? nullptr : found->second;
}

json RunStore::histories(const std::vector<std::string>& ids, size_t points, Answer answer) {
  std::vector<std::string> known;
  std::vector<std::shared_ptr<RunHistory>> runs;
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& id : ids) {
      if (runs_.count(id) == 0) continue;
      std::shared_ptr<RunHistory>& history = histories_[id];
      if (!history) history = std::make_shared<RunHistory>(id);
      known.push_back(id);
      runs.push_back(history);
    }
  }
  const std::vector<bool> reading = history_thread_.read(runs, patience);
  json out = json::object(), unfinished = json::array();
  for (size_t i = 0; i < known.size(); ++i) {
    out[known[i]] = answer(*runs[i], points);
    if (reading[i]) unfinished.push_back(known[i]);
  }
  return {{"runs", std::move(out)}, {"reading", std::move(unfinished)}};
}

json RunStore::metrics(const std::vector<std::string>& ids, size_t points) {
  return histories(ids, points, [](const RunHistory& run, size_t n) { return run.metrics(n); });
}

json RunStore::media(const std::vector<std::string>& ids) {
  return histories(ids, 0, [](const RunHistory& run, size_t) { return run.media(); });
}

std::string RunStore::media_bytes(const std::string& id, size_t place) {
  std::shared_ptr<RunHistory> history;
  {
    const std::lock_guard lock(mutex_);
    const auto found = histories_.find(id);
    if (found != histories_.end()) history = found->second;
  }
  return history ? history->media_bytes(place) : "";
}

json RunStore::details(const std::string& id) {
  const std::shared_ptr<const Run> run = find(id);
  if (!run) return nullptr;
  json out = details_of_run(run->folder);
  out["id"] = id;
  out["name"] = run->row.name;
  out["problem"] = run->row.problem;
  out["checkpoints"] = checkpoints_.of(run->folder);
  return out;
}

json RunStore::verified(const std::string& id, const std::string& file) {
  const std::shared_ptr<const Run> run = find(id);
  if (!run) return nullptr;
  for (const json& one : checkpoints_.of(run->folder))
    if (one["file"] == file) return checks_.ask(run->folder / file);
  return nullptr;
}

}  // namespace levin::core::board
