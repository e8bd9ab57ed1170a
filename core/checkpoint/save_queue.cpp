#include "core/checkpoint/save_queue.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace levin::core {

struct SaveQueue::Shared {
  struct Entry {
    Job job;
    std::optional<SavedFile> makes;
  };
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Entry> jobs;  // the first one is being done
  std::deque<SavedFile> saved;
  std::exception_ptr failure;
  bool ending = false;
  std::thread thread;  // begins with the first job

  void run();
  void finish_first(const std::exception_ptr& problem);
};

void SaveQueue::Shared::run() {
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
    job = nullptr;  // what it holds can be large
    lock.lock();
    if (!left_out) finish_first(problem);
    jobs.pop_front();
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
  shared_->changed.notify_all();
  if (!shared_->thread.joinable()) shared_->thread = std::thread([shared = shared_.get()] { shared->run(); });
}

void SaveQueue::in_order(Job job) {
  {
    const std::lock_guard<std::mutex> lock(shared_->mutex);
    if (shared_->jobs.empty() && shared_->failure) return;
    if (!shared_->jobs.empty()) {
      shared_->jobs.push_back({std::move(job), std::nullopt});
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
    if (!shared_->jobs.empty()) return;  // what comes after it has to be left out first
    failure = std::exchange(shared_->failure, nullptr);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace levin::core
