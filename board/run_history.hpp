// The metrics and media of a run, read on another thread, a piece at a time.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "runs/metric_history.hpp"

namespace levin::core::board {

// Any thread may call these. A call waits for at most one piece of the file.
class RunHistory {
 public:
  explicit RunHistory(const std::filesystem::path& folder) : reader_(folder) {}

  bool read_piece();  // returns true if nothing is left to read

  // The curves. points: at most about this many for each metric.
  nlohmann::json metrics(size_t points) const;
  // Pictures, sounds, texts, histograms and PR curves, without the bytes of the first two; of a tag with many steps a
  // few hundred.
  nlohmann::json media() const;
  // The bytes of a picture or a sound, by its place in media(); "" = there is none.
  std::string media_bytes(size_t place) const;

 private:
  friend class HistoryThread;
  mutable std::mutex mutex_;
  MetricReader reader_;
  uint64_t asked_ = 0, read_ = 0;  // with the mutex of HistoryThread
  bool queued_ = false;
};

class HistoryThread {
 public:
  HistoryThread();
  ~HistoryThread();

  // Reads what is new in these runs, and waits for it until the time is over. Returns which ones are still being read.
  std::vector<bool> read(const std::vector<std::shared_ptr<RunHistory>>& runs, std::chrono::milliseconds patience);

 private:
  void work();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<RunHistory>> queue_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace levin::core::board
