// The runs in some folders, read again as they change. Any thread may call it.
#pragma once
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runs/metric_history.hpp"
#include "runs/run_options.hpp"
#include "runs/run_row.hpp"

namespace levin::core::board {

class RunStore {
 public:
  // folders: run folders, or folders with runs up to four levels below.
  explicit RunStore(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}

  // Every run with its state, last metrics, best score, and the options that are not equal in all runs.
  nlohmann::json runs();

  // The curves of these runs; unknown ids are left out. points: at most about this many for each metric.
  nlohmann::json metrics(const std::vector<std::string>& ids, size_t points);

  // The pictures, sounds, texts and histograms of these runs, without the bytes of the first two.
  nlohmann::json media(const std::vector<std::string>& ids);
  // The bytes of a picture or a sound, by its place in that list; "" = there is none.
  std::string media_bytes(const std::string& id, size_t place);

  // Options with their origins, checkpoints and the end of the log; null = no such run.
  nlohmann::json details(const std::string& id);

 private:
  struct Run {
    std::filesystem::path folder;
    std::string stamp;  // of the files that the row was made from
    RunRow row;
    std::vector<RunOption> settings;
    std::unique_ptr<MetricReader> reader;
    bool seen = false;
  };

  Run* updated(const std::string& id);  // with the lock; its metrics and media are up to date; nullptr = no such run
  void refresh();                       // with the lock
  void find_runs(const std::filesystem::path& folder, int depth);
  void add(const std::filesystem::path& folder);
  void read(Run& run, const std::string& name);

  const std::vector<std::filesystem::path> folders_;
  std::mutex mutex_;
  std::map<std::string, Run> runs_;  // by the path of the folder
  std::chrono::steady_clock::time_point refreshed_{}, searched_{};
};

}  // namespace levin::core::board
