#include "core/data/worker_pool.hpp"

#include <ATen/Parallel.h>

#include <chrono>
#include <string>
#include <system_error>

#include "core/abi/breadcrumb.hpp"
#include "core/abi/torch_warnings.hpp"
#include "core/base/error.hpp"
#include "core/progress/stop_request.hpp"

namespace levin::core {

WorkerPool::WorkerPool(size_t workers, std::vector<BatchSlot*> slots, Fill fill) : fill_(std::move(fill)) {
  for (BatchSlot* slot : slots) entries_.push_back({slot});
  threads_.reserve(workers);
  try {
    for (size_t i = 0; i < workers; ++i)
      threads_.emplace_back([this] {
        at::set_num_threads(1);
        TorchWarnings::watch_this_thread();
        work();
      });
  } catch (const std::system_error& e) {
    const std::string made = std::to_string(threads_.size());
    quit();
    throw Error(ErrorCode::threads_refused, "data.num_workers=" + std::to_string(workers) +
                                                ": the system allows this process " + made + " of these threads (" +
                                                e.code().message() + "); set a smaller --data.num_workers");
  }
}

WorkerPool::~WorkerPool() { quit(); }

void WorkerPool::quit() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    quit_ = true;
    end_ = next_to_fill_;
  }
  wake_.notify_all();
  const BreadcrumbScope waiting(nullptr, "waits for loader workers");
  for (std::thread& t : threads_) t.join();
  threads_.clear();
}

// Blocks until ready() is true. A signal ends the wait by an Interrupt, except within a plugin's call, which the
// exception must not cross.
template <class Ready>
void WorkerPool::wait(std::unique_lock<std::mutex>& lock, Ready ready) {
  while (!ready_.wait_for(lock, std::chrono::milliseconds(50), ready))
    if (const int signal = interruption; signal != 0 && may_end_anywhere && !breadcrumb.plugin) throw Interrupt{signal};
}

void WorkerPool::start_epoch(int64_t first, int64_t end) {
  stop_epoch();
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Entry& e : entries_) e.state = State::free;
  next_to_fill_ = next_to_take_ = first;
  end_ = end;
  held_ = -1;
  failure_ = nullptr;
  wake_.notify_all();
}

void WorkerPool::extend(int64_t end) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (failure_) return;
  end_ = end;
  wake_.notify_all();
}

void WorkerPool::stop_epoch() {
  std::unique_lock<std::mutex> lock(mutex_);
  end_ = next_to_fill_;
  wait(lock, [&] { return filling_ == 0; });
}

BatchSlot* WorkerPool::next() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (held_ >= 0) {
    entry(held_).state = State::free;
    held_ = -1;
    wake_.notify_all();
  }
  Entry& e = entry(next_to_take_);
  wait(lock, [&] {
    return (e.state == State::full && e.number == next_to_take_) || (next_to_take_ >= end_ && filling_ == 0);
  });
  if (e.state == State::full && e.number == next_to_take_) {
    held_ = next_to_take_++;
    return e.slot;
  }
  if (failure_) std::rethrow_exception(failure_);
  return nullptr;
}

WorkerPool::Entry* WorkerPool::claim() {
  if (next_to_fill_ >= end_) return nullptr;
  Entry& e = entry(next_to_fill_);
  if (e.state != State::free) return nullptr;
  e.state = State::filling;
  e.number = next_to_fill_++;
  ++filling_;
  return &e;
}

void WorkerPool::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    Entry* e = nullptr;
    wake_.wait(lock, [&] { return quit_ || (e = claim()) != nullptr; });
    if (!e) return;
    lock.unlock();
    bool more = false;
    std::exception_ptr failure;
    try {
      more = fill_(e->number, *e->slot);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    --filling_;
    e->state = more ? State::full : State::free;
    if (!more && e->number < end_) {
      end_ = e->number;  // of several ends and failures, the first in the order of the batches counts
      failure_ = failure;
    }
    ready_.notify_all();
  }
}

}  // namespace levin::core
