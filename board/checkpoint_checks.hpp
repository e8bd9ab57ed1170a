// Verifies checkpoints by their checksums, one after the other, on a thread of its own: a file may have many gigabytes.
#pragma once
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

namespace levin::core::board {

class CheckpointChecks {
 public:
  CheckpointChecks();
  ~CheckpointChecks();

  // Returns {"state": "waiting", "whole" or "damaged", "reason": ...}. The first call for a file, and the first after
  // it has changed, starts the check.
  nlohmann::json ask(const std::filesystem::path& file);

 private:
  struct Check {
    std::string stamp, state, reason;
  };
  void work();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> queue_;
  std::map<std::string, Check> checks_;  // by the path
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace levin::core::board
