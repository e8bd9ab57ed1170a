#include "core/distributed/pending_work.hpp"

#include <chrono>
#include <cstring>
#include <future>
#include <thread>
#include <utility>

#include "core/abi/breadcrumb.hpp"
#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/distributed/store/time_limit.hpp"
#include "core/distributed/transports/wire.hpp"

namespace levin::core {
namespace {

// Polls for at most half a second. MPI's collectives progress only when polled, and NCCL's timeout would end all of its
// collectives.
bool poll(c10d::Work& work) {
  const auto end = std::chrono::steady_clock::now() + look_up_every;
  for (int i = 0; !work.isCompleted(); ++i) {
    if (std::chrono::steady_clock::now() > end) return false;
    if (i < 200)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  work.wait();  // NCCL: later work on this thread's stream is ordered after the collective
  return true;
}

}  // namespace

void collective_lost(const char* call, const std::string& why) {
  throw Error(ErrorCode::collective_failed, std::string(call) + " over the processes of the run failed: " + why +
                                                "; a rank is lost, or the ranks make different collectives");
}

void no_answer(const char* call, std::chrono::milliseconds limit) {
  collective_lost(call, "no answer within " + std::to_string(limit.count() / 1000) + " seconds");
}

PendingWork::PendingWork(const Begun& begun, c10::intrusive_ptr<c10d::Work> work, bool polled,
                         const ProcessGroupOptions& options, std::function<void()> finish)
    : call_(begun.call),
      begun_(begun),
      work_(std::move(work)),
      polled_(polled),
      options_(options),
      finish_(std::move(finish)) {}

void PendingWork::wait() {
  if (!work_) return;
  const CollectiveLog::Wait shown(options_.collective_log, begun_.line, begun_.number, call_);
  const BreadcrumbScope place(nullptr, call_);  // shows other processes that this one waits
  TimeLimit limit(options_.timeout);
  while (!wait_once()) {
    options_.while_waiting();
    if (limit.is_over()) no_answer(call_, options_.timeout);
  }
  work_.reset();
  const at::NoGradGuard no_grad;
  finish_();
}

bool PendingWork::wait_once() {
  try {
    if (polled_) return poll(*work_);
    work_->wait(look_up_every);
    return true;
  } catch (const std::exception& e) {
    // The transport's own timeout and the timeout of this wait have the same text. After the latter, the work may have
    // ended just now.
    if (std::strstr(e.what(), "timed out") == nullptr) fail(e);
    return work_->isCompleted() && ended_well();
  }
}

bool PendingWork::ended_well() {
  try {
    work_->wait(look_up_every);
    return true;
  } catch (const std::exception& e) {
    fail(e);
  }
}

void PendingWork::fail(const std::exception& e) {
  options_.explain();
  collective_lost(call_, brief(e));
}

void watched_call(std::function<void()> call, const std::function<void()>& while_waiting) {
  std::packaged_task<void()> task(std::move(call));
  std::future<void> outcome = task.get_future();
  std::thread thread(std::move(task));
  try {
    while (outcome.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) while_waiting();
  } catch (...) {
    thread.detach();
    throw;
  }
  thread.join();
  outcome.get();
}

}  // namespace levin::core
