#include "runs/run_files.hpp"

#include <algorithm>
#include <tuple>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/readable_folder.hpp"
#include "core/checkpoint/container/checkpoint_folder.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"

namespace levin::core::ckpt {
namespace {

namespace fs = std::filesystem;

// Order of checkpoints by age: by number of saves, then by step. The modification time comes last, because the clock
// may have been set.
struct Newness {
  int64_t saves = -1, step = -1;
  fs::file_time_type written{};
  bool operator>(const Newness& other) const {
    return std::tie(saves, step, written) > std::tie(other.saves, other.step, other.written);
  }
};

Newness newness_of(const fs::path& path) {
  Newness out;
  std::error_code unknown;
  out.written = fs::last_write_time(path, unknown);
  try {
    const SafetensorsReader file(path.string());
    const auto count = [&](const char* key) {
      const auto found = file.manifest().find(key);
      return found != file.manifest().end() && found->is_number_integer() ? found->get<int64_t>() : int64_t{-1};
    };
    out.saves = count("saves");
    out.step = count("global_step");
  } catch (const Error&) {
    return out;  // `host ckpt verify` reports the problem
  }
  return out;
}

// Returns the best or last checkpoint according to the run's index; "" if there is none. Paths that lead out of the
// run's folder are ignored: no run writes them.
fs::path announced(const fs::path& run, const char* which) {
  const fs::path file = run / "checkpoints" / "index.json";
  if (!is_file(file)) return {};
  try {
    const nlohmann::json index = parse_json(read_file(file), file.string(), ErrorCode::checkpoint_damaged);
    const fs::path path = index.at(which).at("path").get<std::string>();
    return std::count(path.begin(), path.end(), "..") != 0 ? fs::path() : (run / path).lexically_normal();
  } catch (const std::exception&) {
    return {};  // the next checkpoint rewrites a broken index
  }
}

ExportedFile of_run(const fs::path& run, const std::string& which) {
  const fs::path best = which == "last" ? fs::path() : announced(run, "best");
  if (is_file(best)) return {best.string(), "best"};
  if (which == "best")
    throw Error(ErrorCode::checkpoint_not_found,
                run.string() + ": the run has no best checkpoint; --ckpt_path last takes the last");
  return {newest_whole(run), "last"};
}

}  // namespace

std::vector<RunFile> run_files(const fs::path& run) {
  std::error_code unknown;
  if (!is_folder(run / "checkpoints")) {
    require_readable_folder(run);
    throw Error(ErrorCode::not_a_run_folder, run.string() + " is not a run folder: it has no checkpoints");
  }
  const fs::path best = fs::weakly_canonical(announced(run, "best"), unknown),
                 last = fs::weakly_canonical(announced(run, "last"), unknown);
  std::vector<std::pair<Newness, RunFile>> found;
  for (fs::recursive_directory_iterator at(run / "checkpoints", fs::directory_options::skip_permission_denied, unknown),
       end;
       !unknown && at != end; at.increment(unknown)) {
    std::error_code gone;
    if (at->path().extension() != ".ckpt" || !is_file(at->path())) continue;
    const fs::path real = fs::weakly_canonical(at->path(), gone);
    RunFile file{at->path(), fs::file_size(at->path(), gone), real == best, real == last};
    found.emplace_back(newness_of(at->path()), std::move(file));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<RunFile> out;
  for (auto& one : found) out.push_back(std::move(one.second));
  return out;
}

std::string newest_whole(const fs::path& run) {
  std::vector<std::string> paths;
  for (const RunFile& file : run_files(run)) paths.push_back(file.path.string());
  std::vector<DamagedCheckpoint> damaged;
  if (auto found = first_valid(paths, &damaged)) return *found;
  if (damaged.empty()) throw Error(ErrorCode::checkpoint_not_found, run.string() + " has no checkpoint");
  throw Error(ErrorCode::no_intact_checkpoint, damaged.front().reason);
}

ExportedFile exported_file(const std::string& source, const std::string& which) {
  const fs::path path = absolute_path(source);
  if (!is_folder(path)) {
    if (!which.empty())
      throw Error(ErrorCode::not_a_run_folder,
                  "--ckpt_path " + which + " is of a run folder, and " + path.string() + " is none");
    if (!is_present(path))
      throw Error(ErrorCode::checkpoint_not_found, "there is no run folder and no file '" + path.string() + "'");
    return {path.string(), ""};
  }
  if (!is_folder(path / "checkpoints") && !is_present(path / "config.json")) {
    require_readable_folder(path);
    throw Error(ErrorCode::not_a_run_folder,
                "'" + path.string() + "' is not a run folder: it has neither config.json nor checkpoints");
  }
  return of_run(path.lexically_normal(), which);
}

}  // namespace levin::core::ckpt
