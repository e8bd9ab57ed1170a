// The checkpoints in a run's folder, and the index of the best and the last one.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/run_folder/run_folder.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> checkpoint_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (fs::recursive_directory_iterator at(folder, ignored), end; at != end; at.increment(ignored))
    if (at->path().extension() == ".ckpt" && at->is_regular_file(ignored)) files.push_back(at->path());
  return files;
}

// Whether announce() could have written it: below the run's folder, or absolute.
bool is_announced_path(const nlohmann::json& value) {
  if (!value.is_string()) return false;
  const fs::path path = value.get<std::string>();
  const bool climbs = std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
  return !path.empty() && (path.is_absolute() || !climbs);
}

std::string absolute_name(const fs::path& path) { return fs::absolute(path).lexically_normal().string(); }

}  // namespace

// A damaged index must not end a run, because it only holds paths and scores. The next announce() writes it again.
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
    if (problem && good != all) *problem = index_file().string() + ": it does not say what this program writes there";
  } catch (const Error& e) {
    if (problem) *problem = e.what();
  }
  return good;
}

std::string RunFolder::index_problem() const {
  std::string problem;
  index(&problem);
  return problem;
}

bool RunFolder::had_checkpoints() const {
  std::error_code unknown;
  return fs::exists(index_file(), unknown) || !checkpoint_files(checkpoints()).empty();
}

void RunFolder::announce(const std::string& which, const std::string& checkpoint, double score) {
  std::string problem;
  nlohmann::json all = index(&problem);
  std::error_code ignored;
  const fs::path relative = fs::relative(checkpoint, path_, ignored);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  nlohmann::json entry = {{"path", inside ? relative.string() : checkpoint}};
  if (std::isfinite(score)) entry["score"] = score;
  // A write would wait for the disk, so an unchanged index is not written.
  if (all.contains(which) && all[which] == entry && problem.empty()) return;
  all[which] = std::move(entry);
  write_file_durable(index_file(), all.dump(2) + "\n");
}

std::optional<std::string> RunFolder::announced(const std::string& which) const {
  const nlohmann::json all = index();
  if (!all.contains(which)) return std::nullopt;
  const fs::path path = path_ / fs::path(all[which].at("path").get<std::string>());
  std::error_code unknown;
  if (!fs::exists(path, unknown)) return std::nullopt;
  return path.string();
}

std::vector<RunCheckpoint> RunFolder::list() const {
  std::map<std::string, RunCheckpoint> found;
  for (const fs::path& file : checkpoint_files(checkpoints())) found[absolute_name(file)];
  const nlohmann::json all = index();
  // The best is read second, so that its score counts if one file is both.
  for (const char* which : {"last", "best"}) {
    const auto path = announced(which);
    if (!path) continue;
    RunCheckpoint& c = found[absolute_name(*path)];
    (std::string(which) == "best" ? c.best : c.last) = true;
    const auto score = all[which].find("score");
    if (score != all[which].end() && score->is_number()) c.score = *score;
  }
  using Timed = std::pair<fs::file_time_type, RunCheckpoint>;
  std::vector<Timed> by_time;
  std::error_code gone;
  for (auto& [path, checkpoint] : found) {
    checkpoint.path = path;
    by_time.emplace_back(fs::last_write_time(path, gone), std::move(checkpoint));
  }
  std::stable_sort(by_time.begin(), by_time.end(), [](const Timed& a, const Timed& b) { return a.first < b.first; });
  std::vector<RunCheckpoint> out;
  for (Timed& t : by_time) out.push_back(std::move(t.second));
  return out;
}

}  // namespace levin::core
