#include "host/ckpt/exported_file.hpp"

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "host/ckpt/run_files.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

// Returns the best checkpoint according to the run's index; "" if there is none or the file is missing. Paths that lead
// out of the run's folder are ignored: no run writes them.
fs::path announced_best(const fs::path& run) {
  const fs::path file = run / "checkpoints" / "index.json";
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return {};
  try {
    const nlohmann::json index = parse_json(read_file(file), file.string(), ErrorKind::checkpoint);
    const fs::path path = index.at("best").at("path").get<std::string>();
    if (std::count(path.begin(), path.end(), "..") != 0 || !fs::is_regular_file(run / path, unknown)) return {};
    return (run / path).lexically_normal();
  } catch (const std::exception&) {
    return {};  // the next checkpoint of the run rewrites the index
  }
}

ExportedFile of_run(const fs::path& run, const std::string& which) {
  if (which != "last")
    if (const fs::path best = announced_best(run); !best.empty()) return {best.string(), "best"};
  if (which == "best")
    throw Error(ErrorKind::checkpoint,
                run.string() + ": the run has no best checkpoint; --ckpt_path last takes the last");
  return {ckpt::newest_whole(run), "last"};
}

}  // namespace

ExportedFile exported_file(const std::string& source, const std::string& which) {
  const fs::path path = absolute_path(source);
  std::error_code unknown;
  if (!fs::is_directory(path, unknown)) {
    if (!which.empty())
      throw Error(ErrorKind::usage, "--ckpt_path " + which + " is of a run folder, and " + path.string() + " is none");
    if (!fs::exists(path, unknown))
      throw Error(ErrorKind::checkpoint, "there is no run folder and no file '" + path.string() + "'");
    return {path.string(), ""};
  }
  if (!fs::is_directory(path / "checkpoints", unknown) && !fs::exists(path / "config.json", unknown))
    throw Error(ErrorKind::usage,
                "'" + path.string() + "' is no run folder: it has neither config.json nor checkpoints");
  return of_run(path.lexically_normal(), which);
}

}  // namespace levin::core
