#include "core/checkpoint/save_queue.hpp"

#include <atomic>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "core/base/emergency_output.hpp"

namespace levin::core {
namespace {

// Counts over all queues, for a process that is about to end.
std::atomic<unsigned long> jobs_added{0}, jobs_finished{0};
thread_local bool does_jobs = false;

}  // namespace

struct SaveQueue::Shared {
  struct Entry {
    Job job;
    std::optional<SavedFile> makes;
  };
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Entry> jobs;  // the first one is running
  std::deque<SavedFile> saved;
  std::exception_ptr failure;
  bool ending = false;
  std::thread thread;  // started with the first job

  void run();
  void finish_first(const std::exception_ptr& problem);
};

void SaveQueue::Shared::run() {
  does_jobs = true;
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return ending || !jobs.empty(); });
    if (jobs.empty()) return;
    const bool left_out = failure != nullptr;
    Job& job = jobs.front().job;
    lock.unlock();
    std::exception_ptr problem;
    if (!left_out) try {
        job();
      } catch (...) {
        problem = std::current_exception();
      }
    job = nullptr;  // frees the job's copies, which can be large
    lock.lock();
    if (!left_out) finish_first(problem);
    jobs.pop_front();
    ++jobs_finished;
    changed.notify_all();
  }
}

void SaveQueue::Shared::finish_first(const std::exception_ptr& problem) {
  if (problem)
    failure = problem;
  else if (jobs.front().makes)
    saved.push_back(std::move(*jobs.front().makes));
}

SaveQueue::SaveQueue() : shared_(std::make_unique<Shared>()) {}

SaveQueue::~SaveQueue() {
  if (!shared_->thread.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(shared_->mutex);
    shared_->ending = true;
    shared_->changed.notify_all();
  }
  shared_->thread.join();
}

void SaveQueue::add(Job job, std::optional<SavedFile> makes) {
  const std::lock_guard<std::mutex> lock(shared_->mutex);
  shared_->jobs.push_back({std::move(job), std::move(makes)});
  ++jobs_added;
  shared_->changed.notify_all();
  if (!shared_->thread.joinable()) shared_->thread = std::thread([shared = shared_.get()] { shared->run(); });
}

void SaveQueue::in_order(Job job) {
  {
    const std::lock_guard<std::mutex> lock(shared_->mutex);
    if (shared_->jobs.empty() && shared_->failure) return;
    if (!shared_->jobs.empty()) {
      shared_->jobs.push_back({std::move(job), std::nullopt});
      ++jobs_added;
      return;
    }
  }
  job();
}

void SaveQueue::done(SavedFile file) {
  const std::lock_guard<std::mutex> lock(shared_->mutex);
  shared_->saved.push_back(std::move(file));
}

void SaveQueue::wait() {
  std::unique_lock<std::mutex> lock(shared_->mutex);
  shared_->changed.wait(lock, [this] { return shared_->jobs.empty(); });
}

bool SaveQueue::failed() const {
  const std::lock_guard<std::mutex> lock(shared_->mutex);
  return shared_->failure != nullptr;
}

std::optional<SavedFile> SaveQueue::next_saved() {
  const std::lock_guard<std::mutex> lock(shared_->mutex);
  if (shared_->saved.empty()) return std::nullopt;
  SavedFile first = std::move(shared_->saved.front());
  shared_->saved.pop_front();
  return first;
}

void SaveQueue::check() const {
  std::exception_ptr failure;
  {
    const std::lock_guard<std::mutex> lock(shared_->mutex);
    failure = shared_->failure;
  }
  if (failure) std::rethrow_exception(failure);
}

void SaveQueue::throw_failure() {
  std::exception_ptr failure;
  {
    const std::lock_guard<std::mutex> lock(shared_->mutex);
    if (!shared_->jobs.empty()) return;  // the jobs behind the failed one have to be skipped first
    failure = std::exchange(shared_->failure, nullptr);
  }
  if (failure) std::rethrow_exception(failure);
}

void wait_for_saves_before_the_end() {
  constexpr int waits_a_second = 100, longest = 60 * waits_a_second;
  const unsigned long wanted = jobs_added;
  for (int i = 0; !does_jobs && i < longest && jobs_finished < wanted; ++i) {
    if (i == waits_a_second)
      EmergencyOutput().add("host: warning: waits for a checkpoint that is being written").write();
    const timespec wait{0, 1000000000 / waits_a_second};
    nanosleep(&wait, nullptr);
  }
}

}  // namespace levin::core
