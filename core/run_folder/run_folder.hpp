// The folder of one run, ROOT/levin_logs/version_N, with its configuration, checkpoints and logs.
#pragma once
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/checkpoint/container/checkpoint_folder.hpp"
#include "core/config/trainer/run_plan.hpp"

namespace levin::core {

struct RunName {
  std::string folder = "levin_logs";   // the folder of all runs, below the root; "" = the root itself
  std::optional<std::string> version;  // a number N = version_N; nullopt = the next free number
  std::filesystem::path folder_in(const std::filesystem::path& root) const;
};
RunName run_name(const RunPlan& plan);  // from the plan's log_name and log_version

// What a component says of the checkpoint that it announces.
struct Announcement {
  Announcement(double score_ = std::numeric_limits<double>::quiet_NaN(), std::string monitor_ = {}, bool larger = false)
      : score(score_), monitor(std::move(monitor_)), larger_is_better(larger) {}
  double score;         // NaN = none
  std::string monitor;  // the metric of the score; "" = unknown
  bool larger_is_better;
};
struct RunCheckpoint {
  std::string path;    // absolute
  uint64_t saves = 0;  // the run's number of saves by then; 0 = unknown
  bool best = false, last = false, weights_only = false;
  Announcement announced = {};
};
// Reads an entry of checkpoints/index.json.
Announcement announcement_of(const nlohmann::json& entry);

class RunFolder {
 public:
  // Makes the folder with the next free number; safe with several processes at a time. If the name has a version, its
  // folder may exist already. Throws Error{run} if the folder cannot be made.
  static RunFolder make(const std::filesystem::path& root, const RunName& name = {});
  // Returns true if the folder of this name already holds a run. False for a name without a version.
  static bool taken(const std::filesystem::path& root, const RunName& name);
  // Opens the folder of an earlier run. Throws Error{usage} if there is none.
  static RunFolder open(const std::filesystem::path& folder);
  // Returns the run's folder for a process other than rank 0. Its functions that would write do nothing.
  static RunFolder of_first_process(const std::filesystem::path& folder);

  bool writes() const { return writes_; }
  bool is_new() const { return is_new_; }  // make() created it
  // Sets the function for warnings about entries that could not be read or removed. It may be called off the training
  // thread.
  void on_warning(Warn warn) { warn_ = std::move(warn); }

  const std::filesystem::path& path() const { return path_; }
  std::string id() const { return path_.filename().string(); }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  void save_config(nlohmann::json config);
  // Keeps the configuration in memory until keep_config() saves it, so that a failed resume leaves the old file.
  void hold_config(nlohmann::json config) { held_ = std::move(config); }
  void keep_config();             // saves the held configuration, if there is one
  nlohmann::json config() const;  // the held configuration, or else the saved one
  // Returns true if the run's model is this component, or if its configuration cannot be read.
  bool of_model(const std::string& component) const;
  // Removes partly written files of a killed process of this run. The caller holds the folder's lock.
  void remove_leftovers() const;
  // Removes the checkpoint of an interruption if the run can be resumed from a newer one.
  void remove_outdated_interruption() const;
  std::filesystem::path interruption() const { return checkpoints() / "interrupted.ckpt"; }
  // Durably records this file in checkpoints/index.json as the best or the last checkpoint. which: "best" or "last".
  void announce(const std::string& which, const std::string& checkpoint, const Announcement& what = {});
  std::optional<std::string> announced(const std::string& which) const;  // nullopt also if the file no longer exists
  Announcement best() const;                                             // what was announced of the best checkpoint
  // Returns the problem with checkpoints/index.json, or "". Damaged entries count as missing until the next announce().
  std::string index_problem();
  // Returns true if the run has or had a checkpoint, even if it is damaged or no longer exists.
  bool had_checkpoints() const;
  // Returns the *.ckpt files below checkpoints() and the existing announced files elsewhere, oldest first by their
  // manifests. Unreadable files come last.
  std::vector<RunCheckpoint> list() const;

 private:
  RunFolder(std::filesystem::path path, std::optional<int64_t> order, bool is_new)
      : path_(std::move(path)), order_(order), is_new_(is_new) {}
  std::optional<int64_t> saved_order() const;
  std::filesystem::path index_file() const { return checkpoints() / "index.json"; }
  // {"best": {"path": ..., "score": ..., "monitor": ..., "larger_is_better": ...}, "last": ...}; each path is absolute
  // or relative to path()
  nlohmann::json index(std::string* problem = nullptr) const;
  std::filesystem::path path_;
  std::optional<int64_t> order_;  // the value of run_order_key
  bool is_new_, writes_ = true;
  std::optional<nlohmann::json> held_;
  std::optional<nlohmann::json> known_index_;  // as last read or written by this process
  Warn warn_ = [](const std::string&) {};
};

// The run folders in one folder, and the order in which the runs began (known_runs.cpp).
std::string version_name(const std::string& number);           // "version_N", the name of a run without its own name
int64_t highest_version(const std::filesystem::path& folder);  // -1 = none

// The key of config.json that holds the number of runs that began before this one. Ordering runs needs no clock: a
// clock may be set, and a folder touched or copied.
constexpr const char* run_order_key = "order";
int64_t next_run_order(const std::filesystem::path& folder);

// Returns the run folders, newest first. Runs of older releases have no order: N counts as the order of version_N, and
// runs with other names come last, by when their folders last changed.
std::vector<std::filesystem::path> runs_newest_first(const std::filesystem::path& folder);

// All runs in a folder that trained the model component `model` ("" = any model).
struct RunSearch {
  RunSearch(std::filesystem::path folder_ = {}, std::string model_ = {})
      : folder(std::move(folder_)), model(std::move(model_)) {}
  std::filesystem::path folder;
  std::string model;
};

// Returns the newest of these runs for whose config.json `accepts` returns true. Skips a run without a readable
// config.json.
std::optional<std::filesystem::path> find_run(const RunSearch& runs,
                                              const std::function<bool(const nlohmann::json& config)>& accepts);

// Returns the file for --ckpt_path best|last|PATH: in `folder`, or, if that is nullopt, in `runs`, the newest run
// first. Returns nullopt if there is no best or last checkpoint. Calls `warn` for each damaged file that is skipped.
// For `last`, sets `verified` to the file, which was read in full.
std::optional<std::string> find_checkpoint(const std::string& ckpt_path, const std::optional<RunFolder>& folder,
                                           const RunSearch& runs, const Warn& warn, VerifiedFile* verified = nullptr);

}  // namespace levin::core
