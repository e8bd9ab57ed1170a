#include "core/trainer/run_folder.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
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

std::vector<fs::path> runs_newest_first(const fs::path& folder) {
  std::vector<fs::path> runs;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (number_of(entry.path()) >= 0) runs.push_back(entry.path());
  std::sort(runs.begin(), runs.end(), [](const fs::path& a, const fs::path& b) { return number_of(a) > number_of(b); });
  return runs;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

[[noreturn]] void cannot_make(const fs::path& folder, const std::error_code& problem) {
  throw Error(ErrorKind::run,
              folder.string() + ": " + problem.message() + "; give another folder with --trainer.default_root_dir");
}

}  // namespace

RunFolder RunFolder::make(const fs::path& root, const RunName& name) {
  const fs::path folder = name.folder.empty() ? root : root / name.folder;
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) cannot_make(folder, problem);
  if (name.version) {
    const fs::path path = folder / (is_number(*name.version) ? prefix + *name.version : *name.version);
    fs::create_directories(path / "checkpoints", problem);
    if (problem) cannot_make(path, problem);
    return RunFolder(path);
  }
  const auto runs = runs_newest_first(folder);
  for (int64_t n = runs.empty() ? 0 : number_of(runs.front()) + 1;; ++n) {
    const fs::path path = folder / (std::string(prefix).append(std::to_string(n)));
    if (fs::create_directory(path, problem)) return RunFolder(path);
    if (problem) cannot_make(path, problem);
  }
}

RunFolder RunFolder::open(const fs::path& folder) {
  if (!fs::is_directory(folder)) throw Error(ErrorKind::usage, folder.string() + " is not the folder of a run");
  return RunFolder(folder);
}

void RunFolder::save_config(const nlohmann::json& config) const {
  write_file_durable(path_ / "config.json", config.dump(2) + "\n");
}

nlohmann::json RunFolder::config() const {
  const std::string file = (path_ / "config.json").string();
  return parse_json(read_file(file), file);
}

void RunFolder::announce(const std::string& which, const std::string& checkpoint, double score) {
  nlohmann::json all = nlohmann::json::object();
  if (fs::exists(index())) all = parse_json(read_file(index()), index().string());
  std::error_code ignored;
  const fs::path relative = fs::relative(checkpoint, path_, ignored);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  all[which] = {{"path", inside ? relative.string() : checkpoint}};
  if (std::isfinite(score)) all[which]["score"] = score;
  write_file_durable(index(), all.dump(2) + "\n");
}

std::optional<std::string> RunFolder::announced(const std::string& which) const {
  if (!fs::exists(index())) return std::nullopt;
  const nlohmann::json all = parse_json(read_file(index()), index().string(), ErrorKind::checkpoint);
  if (!all.contains(which)) return std::nullopt;
  const fs::path path = path_ / fs::path(all[which].at("path").get<std::string>());
  if (!fs::exists(path)) return std::nullopt;
  return path.string();
}

std::string find_checkpoint(const std::string& ckpt_path, const std::optional<RunFolder>& folder, const fs::path& root,
                            const std::function<void(const std::string&)>& warn) {
  if (ckpt_path != "best" && ckpt_path != "last") return ckpt_path;
  std::vector<fs::path> runs;
  if (folder)
    runs.push_back(folder->path());
  else
    runs = runs_newest_first(root / "levin_logs");
  for (const fs::path& path : runs) {
    const RunFolder run = RunFolder::open(path);
    if (ckpt_path == "best") {
      if (auto found = run.announced("best")) return *found;
      continue;
    }
    std::vector<DamagedCheckpoint> damaged;
    auto found = newest_valid(run.checkpoints().string(), &damaged);
    for (const DamagedCheckpoint& d : damaged) warn("passed over a damaged checkpoint: " + d.reason);
    if (found) return *found;
  }
  if (ckpt_path == "last") return "";
  throw Error(ErrorKind::checkpoint, "--ckpt_path " + ckpt_path + ": there is no such checkpoint under " +
                                         (folder ? folder->path().string() : (root / "levin_logs").string()));
}

}  // namespace levin::core
