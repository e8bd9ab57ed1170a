// The checkpoints in a run's folder, and the index of the best and the last one.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "core/checkpoint/lineage.hpp"
#include "core/run_folder/run_folder.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

void add_checkpoints(const fs::path& folder, const Warn& warn, std::vector<fs::path>& files) {
  std::error_code failed, unknown;
  for (const fs::directory_entry& entry : entries_of(folder, failed)) {
    if (entry.is_directory(unknown) && !entry.is_symlink(unknown)) add_checkpoints(entry.path(), warn, files);
    if (entry.path().extension() == ".ckpt" && entry.is_regular_file(unknown)) files.push_back(entry.path());
  }
  if (failed && failed != std::errc::no_such_file_or_directory)
    warn("cannot list the checkpoints in " + folder.string() + ": " + failed.message());
}

std::vector<fs::path> checkpoint_files(const fs::path& folder, const Warn& warn) {
  std::vector<fs::path> files;
  add_checkpoints(folder, warn, files);
  return files;
}

// Returns true if announce() could have written the path: it is below the run's folder, or absolute.
bool is_announced_path(const nlohmann::json& value) {
  if (!value.is_string()) return false;
  const fs::path path = value.get<std::string>();
  const bool climbs = std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
  return !path.empty() && (path.is_absolute() || !climbs);
}

// The age of a checkpoint, as a sort key. The file's time counts last: a clock may be set, and a file touched or
// copied.
struct Age {
  bool unreadable = false, weights_only = false;
  bool own = true;  // of the run that last saved here, not copied from another run
  std::string run;  // "" = unknown
  uint64_t saves = 0;
  int64_t global_step = 0, epoch = 0;
  bool last = false;  // according to the index
  fs::file_time_type written{};
  auto key() const { return std::tie(unreadable, own, saves, global_step, epoch, last, written); }
};

int64_t count_in(const nlohmann::json& manifest, const char* key) {
  const auto found = manifest.find(key);
  return found != manifest.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

Age age_of(const std::string& path, bool last) {
  Age age;
  age.last = last;
  std::error_code gone;
  age.written = fs::last_write_time(path, gone);
  try {
    const SafetensorsReader file(path);
    age.run = run_of(file.manifest());
    age.saves = saves_of(file.manifest());
    age.global_step = count_in(file.manifest(), "global_step");
    age.epoch = count_in(file.manifest(), "epoch");
    age.weights_only = file.manifest().value("weights_only", nlohmann::json()) == true;
  } catch (const Error&) {
    age.unreadable = true;
  }
  return age;
}

std::string absolute_name(const fs::path& path) { return fs::absolute(path).lexically_normal().string(); }

}  // namespace

// A damaged index must not end a run, because it holds only paths and scores. The next announce() rewrites it.
nlohmann::json RunFolder::index(std::string* problem) const {
  nlohmann::json good = nlohmann::json::object();
  std::error_code unknown;
  if (!fs::exists(index_file(), unknown)) return good;
  try {
    const nlohmann::json all = parse_json(read_file(index_file()), index_file().string());
    for (const char* which : {"best", "last"}) {
      if (!all.is_object() || !all.contains(which)) continue;
      const nlohmann::json& entry = all[which];
      if (entry.is_object() && entry.contains("path") && is_announced_path(entry["path"])) good[which] = entry;
    }
    if (problem && good != all) *problem = index_file().string() + ": it is not in the form that Levin writes";
  } catch (const Error& e) {
    if (problem) *problem = e.what();
  }
  return good;
}

std::string RunFolder::index_problem() {
  std::string problem;
  known_index_ = index(&problem);
  return problem;
}

bool RunFolder::had_checkpoints() const {
  std::error_code unknown;
  return fs::exists(index_file(), unknown) || !checkpoint_files(checkpoints(), warn_).empty();
}

void RunFolder::remove_outdated_interruption() const {
  if (!writes_) return;
  std::error_code gone;
  if (!fs::exists(interruption(), gone)) return;
  const std::string own = absolute_name(interruption());
  uint64_t newest = 0, saves = 0;
  for (const RunCheckpoint& c : list()) {
    if (c.path == own) saves = c.saves;
    if (c.path != own && !c.weights_only) newest = std::max(newest, c.saves);
  }
  if (saves == 0 || newest <= saves) return;
  if (const std::error_code failed = remove_file(interruption()))
    warn_("cannot remove " + own + ", which is outdated: " + failed.message());
}

void RunFolder::announce(const std::string& which, const std::string& checkpoint, const Announcement& what) {
  if (!writes_) return;
  std::string problem;
  nlohmann::json all = index(&problem);
  if (!problem.empty() && known_index_)
    all = *known_index_;
  else if (!problem.empty())
    warn_(problem + "; it is rewritten without its earlier entries");
  std::error_code ignored;
  const fs::path relative = fs::relative(checkpoint, path_, ignored);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  nlohmann::json entry = {{"path", inside ? relative.string() : checkpoint}};
  if (std::isfinite(what.score)) entry["score"] = what.score;
  if (!what.monitor.empty()) entry["monitor"] = what.monitor;
  if (what.larger_is_better) entry["larger_is_better"] = true;
  // An unchanged index is not written, because a write waits for the disk.
  const bool changes = !all.contains(which) || all[which] != entry || !problem.empty();
  all[which] = std::move(entry);
  if (changes) write_file_durable(index_file(), all.dump(2) + "\n");
  known_index_ = std::move(all);
}

std::optional<std::string> RunFolder::announced(const std::string& which) const {
  const nlohmann::json all = index();
  if (!all.contains(which)) return std::nullopt;
  const fs::path path = path_ / fs::path(all[which].at("path").get<std::string>());
  std::error_code unknown;
  if (!fs::exists(path, unknown)) return std::nullopt;
  return path.string();
}

Announcement announcement_of(const nlohmann::json& entry) {
  Announcement out;
  const auto member = [&entry](const char* name) { return entry.value(name, nlohmann::json()); };
  if (member("score").is_number()) out.score = member("score");
  if (member("monitor").is_string()) out.monitor = member("monitor");
  out.larger_is_better = member("larger_is_better") == true;
  return out;
}

Announcement RunFolder::best() const {
  const nlohmann::json all = index();
  return all.contains("best") ? announcement_of(all["best"]) : Announcement{};
}

std::vector<RunCheckpoint> RunFolder::list() const {
  std::map<std::string, RunCheckpoint> found;
  for (const fs::path& file : checkpoint_files(checkpoints(), warn_)) found[absolute_name(file)];
  const nlohmann::json all = index();
  // The best is read second, so that its score is used if one file is both.
  for (const char* which : {"last", "best"}) {
    const auto path = announced(which);
    if (!path) continue;
    RunCheckpoint& c = found[absolute_name(*path)];
    (std::string(which) == "best" ? c.best : c.last) = true;
    const Announcement what = announcement_of(all[which]);
    if (!std::isnan(what.score) || !what.monitor.empty()) c.announced = what;
  }
  std::vector<std::pair<Age, RunCheckpoint>> all_of_them;
  for (auto& [path, checkpoint] : found) {
    checkpoint.path = path;
    const Age age = age_of(path, checkpoint.last);
    checkpoint.saves = age.saves;
    checkpoint.weights_only = age.weights_only;
    all_of_them.emplace_back(age, std::move(checkpoint));
  }
  std::string run;
  for (const auto& [age, checkpoint] : all_of_them)
    if (age.last) run = age.run;
  for (auto& [age, checkpoint] : all_of_them) age.own = run.empty() || age.run.empty() || age.run == run;
  std::stable_sort(all_of_them.begin(), all_of_them.end(),
                   [](const auto& a, const auto& b) { return a.first.key() < b.first.key(); });
  std::vector<RunCheckpoint> out;
  for (auto& one : all_of_them) out.push_back(std::move(one.second));
  return out;
}

}  // namespace levin::core
