// Sends the lines of a spool to an MLflow server on a thread of its own, in order. While the server does not answer, it
// tries again after 1 to 60 seconds. What the server refuses is left out, with a warning.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "api.hpp"
#include "batch.hpp"
#include "spool.hpp"

namespace levin::mlflow {

class Sender {
 public:
  struct Parts {
    std::string address, experiment, run_name, uid;
    std::filesystem::path folder;  // with the files that the spool names
    Spool* spool;
    Say info, warn;
  };
  explicit Sender(Parts parts);
  ~Sender();  // within a second
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  bool is_away() const { return is_away_; }  // the last request failed
  // Waits until everything flushed is sent. Returns false if a request fails or the time is over; lines are then left
  // in the spool. wait_for_files: also waits longer for a file that is being uploaded.
  bool finish(std::chrono::seconds longest, bool wait_for_files);

 private:
  void run();
  void loop();
  Outcome send();
  Outcome open_run();
  Outcome upload(const Batch& batch);
  void pause_or_go_on(Outcome outcome);
  void warn_once(const char* what, const std::string& text);

  const Parts parts_;
  std::atomic<bool> stopped_{false}, finishing_{false}, uploading_{false}, is_away_{false};

  // Of the thread alone.
  Api api_;
  RunOnServer run_;
  size_t most_lines_;
  double pause_ = 0;  // seconds
  int failed_uploads_ = 0;
  std::set<std::string> warned_;
  std::chrono::steady_clock::time_point next_;

  std::mutex mutex_;  // for the members below
  std::condition_variable changed_;
  bool hurry_ = false, gave_up_ = false, idle_ = false, ended_ = false;
  std::thread thread_;  // begins when the other members exist
};

}  // namespace levin::mlflow
