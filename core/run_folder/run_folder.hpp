// The folder of one run: ROOT/levin_logs/version_N with everything about it.
#pragma once
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/config/run_plan.hpp"

namespace levin::core {

struct RunName {
  std::string folder = "levin_logs";   // of all runs, under the root; "": the root itself
  std::optional<std::string> version;  // a number N is version_N; nothing: the next free one
  std::filesystem::path folder_in(const std::filesystem::path& root) const;
};
RunName run_name(const RunPlan& plan);  // its log_name and log_version

struct RunCheckpoint {
  std::string path;  // absolute
  bool best = false, last = false;
  double score = std::numeric_limits<double>::quiet_NaN();  // as it was announced
};

class RunFolder {
 public:
  // A new folder, the next free number; several processes may do so at once. A version that was asked for may exist.
  static RunFolder make(const std::filesystem::path& root, const RunName& name = {});
  // The folder of an earlier run.
  static RunFolder open(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return path_; }
  std::string id() const { return path_.filename().string(); }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  void save_config(const nlohmann::json& config);
  // Saves the configuration only with keep_config(): until a run is known to go on, its file stays what it was.
  void hold_config(nlohmann::json config) { held_ = std::move(config); }
  void keep_config();             // what is held, if anything is
  nlohmann::json config() const;  // what is held, else as it was saved last
  // Whether the run's model is this component; also true if its configuration cannot be read.
  bool of_model(const std::string& component) const;
  // Remembers where `best` and `last` lie, durably.
  void announce(const std::string& which, const std::string& checkpoint, double score);
  std::optional<std::string> announced(const std::string& which) const;  // only a file that exists
  // The problem with checkpoints/index.json, or "". A damaged index counts as empty until the next announce().
  std::string index_problem() const;
  // Whether the run has or had a checkpoint, even if it is damaged or gone.
  bool had_checkpoints() const;
  // The *.ckpt files below checkpoints(), and those announced from elsewhere that exist; oldest first.
  std::vector<RunCheckpoint> list() const;

 private:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path index_file() const { return checkpoints() / "index.json"; }
  // {"best": {"path": ..., "score": ...}}; a path is absolute or below path()
  nlohmann::json index(std::string* problem = nullptr) const;
  std::filesystem::path path_;
  std::optional<nlohmann::json> held_;
};

// Runs beside each other, of one model's component ("": of any).
struct RunSearch {
  RunSearch(std::filesystem::path folder_ = {}, std::string model_ = {})
      : folder(std::move(folder_)), model(std::move(model_)) {}
  std::filesystem::path folder;
  std::string model;
};

// The file behind --ckpt_path best|last|PATH; looks through those runs, the newest first, where `folder` is not given.
// nullopt: there is no best or last one. warn: told of damaged files that were passed over.
std::optional<std::string> find_checkpoint(const std::string& ckpt_path, const std::optional<RunFolder>& folder,
                                           const RunSearch& runs, const std::function<void(const std::string&)>& warn);

}  // namespace levin::core
