// A running collective of one of LibTorch's transports, and other calls that wait for processes.
#pragma once
#include <chrono>
#include <functional>
#include <string>

#include "core/distributed/process_group.hpp"
#include "core/distributed/store/c10d.hpp"
#include "core/distributed/watch/collective_log.hpp"

namespace levin::core {

// Throws Error{processes}: the call failed because of another process.
[[noreturn]] void collective_lost(const char* call, const std::string& why);
[[noreturn]] void no_answer(const char* call, std::chrono::milliseconds limit);

// A started collective and its entry in the collective_log.
struct Begun {
  const char* call;
  const CollectiveLine* line;
  uint64_t number;
};

class NoWork : public Work {
 public:
  void wait() override {}
  bool done() override { return true; }
};

class PendingWork : public Work {
 public:
  // polled: the transport is NCCL or MPI. finish: runs after the transport has completed the collective.
  PendingWork(const Begun& begun, c10::intrusive_ptr<c10d::Work> work, bool polled, const ProcessGroupOptions& options,
              std::function<void()> finish);
  void wait() override;
  bool done() override { return !work_ || work_->isCompleted(); }

 private:
  bool wait_once();
  bool ended_well();
  [[noreturn]] void fail(const std::exception& e);

  const char* call_;
  const Begun begun_;
  c10::intrusive_ptr<c10d::Work> work_;
  const bool polled_;
  const ProcessGroupOptions& options_;
  std::function<void()> finish_;
};

// For calls that cannot be interrupted, such as those that wait for other processes inside LibTorch: runs the call on a
// new thread and waits for it; rethrows its exception. while_waiting is called about fifty times a second. If it
// throws, the thread is detached, as the process is about to end: objects that the call uses must stay alive.
void watched_call(std::function<void()> call, const std::function<void()>& while_waiting);

}  // namespace levin::core
