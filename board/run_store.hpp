// The runs in some folders, read again as they change. Any thread may call it. Folders are read on other threads: a
// call answers with what has been read within a tenth of a second, and says if more is coming.
#pragma once
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "board/checkpoint_checks.hpp"
#include "board/run_details.hpp"
#include "board/run_history.hpp"
#include "runs/run_options.hpp"
#include "runs/run_row.hpp"

namespace levin::core::board {

class RunStore {
 public:
  // folders: run folders, or folders with runs up to four levels below.
  explicit RunStore(std::vector<std::filesystem::path> folders);
  ~RunStore();

  // {"runs": [...], "reading": bool}: every run with its state, last metrics, best score, and the options that are not
  // equal in all runs.
  nlohmann::json runs();

  // {"runs": {id: ...}, "reading": [id, ...]}: the curves of these runs, or their media; unknown ids are left out.
  // points: at most about this many for each metric.
  nlohmann::json metrics(const std::vector<std::string>& ids, size_t points);
  nlohmann::json media(const std::vector<std::string>& ids);
  // The bytes of a picture or a sound, by its place in that list; "" = there is none.
  std::string media_bytes(const std::string& id, size_t place);

  // What is shown of one run; null = no such run.
  nlohmann::json details(const std::string& id);
  // Verifies a checkpoint of details(), and says what came of it; null = no such checkpoint.
  nlohmann::json verified(const std::string& id, const std::string& file);

 private:
  struct Run {
    std::filesystem::path folder;
    std::string stamp;  // of the files that the row was made from
    RunRow row;
    std::vector<RunOption> settings;
    std::string started;  // as in log.txt; "" = not known
    double seconds = 0;   // from then to the last change of a file
    size_t ranks = 1;
  };
  using Runs = std::map<std::string, std::shared_ptr<const Run>>;  // by the path of the folder

  using Answer = nlohmann::json (*)(const RunHistory&, size_t points);
  nlohmann::json histories(const std::vector<std::string>& ids, size_t points, Answer answer);
  std::shared_ptr<const Run> find(const std::string& id);

  // On the thread that reads.
  void work();
  void refresh();
  void find_runs(const std::filesystem::path& folder, int depth, Runs& found);
  std::string name_of_run(const std::filesystem::path& folder) const;
  static std::shared_ptr<const Run> read(const std::filesystem::path& folder, const std::string& name,
                                         const std::shared_ptr<const Run>& before);
  void publish(bool whole);
  bool ends();

  const std::vector<std::filesystem::path> folders_;
  CheckpointLists checkpoints_;
  Runs found_;  // of the thread that reads
  std::chrono::steady_clock::time_point refreshed_{}, searched_{};

  std::mutex mutex_;
  std::condition_variable changed_;
  Runs runs_;
  std::map<std::string, std::shared_ptr<RunHistory>> histories_;
  uint64_t asked_ = 0, answered_ = 0;
  bool reading_ = true;  // runs_ lacks some of what was found
  bool ends_ = false;

  CheckpointChecks checks_;
  HistoryThread history_thread_;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace levin::core::board
