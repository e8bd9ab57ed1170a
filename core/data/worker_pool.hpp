// Threads that fill batches ahead of the loop. Batches are returned in order.
#pragma once
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/data/source/batch.hpp"

namespace levin::core {

class WorkerPool {
 public:
  // Fills a slot with the batch of this number, on a worker thread. Returns false to end the epoch.
  using Fill = std::function<bool(int64_t number, BatchSlot& slot)>;
  // Needs at least one more slot than workers. Throws Error{usage} if the system cannot start that many threads.
  WorkerPool(size_t workers, std::vector<BatchSlot*> slots, Fill fill);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int64_t size() const { return static_cast<int64_t>(threads_.size()); }
  void start_epoch(int64_t first, int64_t end);  // fills the batches with the numbers [first, end)
  void extend(int64_t end);                      // fills up to `end` too, unless a batch has failed
  // Returns the next batch in order, or nullptr when the epoch has ended. The batch returned before may then be
  // refilled. Rethrows a worker's exception.
  BatchSlot* next();
  void stop_epoch();  // blocks until the workers are idle
  // next() and stop_epoch() throw Interrupt when a signal ends the run, so that a hung worker does not prevent the end.

 private:
  enum class State { free, filling, full };
  struct Entry {
    BatchSlot* slot;
    State state = State::free;
    int64_t number = -1;
  };
  void work();
  template <class Ready>
  void wait(std::unique_lock<std::mutex>& lock, Ready ready);
  void quit();  // blocks until the workers have ended
  Entry* claim();
  Entry& entry(int64_t number) { return entries_[static_cast<size_t>(number) % entries_.size()]; }

  Fill fill_;
  std::vector<Entry> entries_;
  std::mutex mutex_;
  std::condition_variable wake_, ready_;
  int64_t next_to_fill_ = 0, next_to_take_ = 0, end_ = 0, held_ = -1;
  size_t filling_ = 0;
  bool quit_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace levin::core
