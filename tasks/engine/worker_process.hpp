// A process that computes tasks, one at a time.
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tasks/common/frame.hpp"
#include "tasks/common/resources.hpp"

namespace levin::core::tasks {

struct WorkerPlan {
  std::string program;           // host-tasks-worker
  std::string setup;             // the setup message
  std::filesystem::path folder;  // of the files that keep what workers print
  size_t workers = 1;            // how many there are on this machine
  Machine machine;               // what they have together
  double time_limit = 0;         // seconds of a call; 0 = no limit
  uint64_t max_size = 1u << 26;  // of a task or result, in bytes
};

// How a call has ended.
struct CallEnd {
  enum class How { result, failed, lost, refused } how{};  // refused: the process could not use the library
  Frame frame;                                             // the answer; for a lost call its attempt and index
  std::string reason;                                      // of all but results
  double seconds = 0;
};

class WorkerProcess {
 public:
  using Clock = std::chrono::steady_clock;
  WorkerProcess(const WorkerPlan& plan, size_t number) : plan_(plan), number_(number) {}
  ~WorkerProcess() { stop(); }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  std::string name() const { return std::to_string(number_); }
  pid_t pid() const { return pid_; }
  bool busy() const { return call_.has_value(); }
  bool computes(uint64_t index) const { return call_ && call_->index == index; }
  // Starts the process if there is none, or none with this share, and gives it the call. Throws Error{internal} if it
  // cannot be started.
  void give(Frame call, const Share& share = {{1, 1, 0, 0}, {}});
  const Share& share() const { return share_; }              // of the process
  int fd() const { return channel_ ? channel_->fd() : -1; }  // -1 = no process
  bool has_output() const { return channel_ && channel_->has_output(); }
  std::optional<Clock::time_point> deadline() const;
  // Reads what has come, and looks at the time limit. Returns how the call has ended, if it has.
  std::optional<CallEnd> look();
  void stop();  // kills the process

 private:
  void start();
  std::optional<CallEnd> lost(const std::string& why);
  bool has_ended();      // also true if a process that it has started keeps its socket open
  std::string ending();  // waits for the process, which has ended or is killed; "was killed by SIGSEGV"
  std::string last_line() const;
  const WorkerPlan& plan_;
  const size_t number_;
  pid_t pid_ = -1;
  std::optional<int> status_;  // of the process, when it has ended
  std::optional<FrameChannel> channel_;
  std::optional<Frame> call_;
  Share share_;
  bool ready_ = false;
  Clock::time_point begun_;  // of the call, or when the process was ready for it
  uint64_t printed_ = 0;     // size of the file of its output when the process was started
};

}  // namespace levin::core::tasks
