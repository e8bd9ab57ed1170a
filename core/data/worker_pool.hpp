// Threads that fill batches ahead of the loop, handed out in order.
#pragma once
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/data/batch.hpp"

namespace levin::core {

class WorkerPool {
 public:
  // fill(batch number, slot): false ends the epoch. Runs on a worker. slots: at least one more than workers. Throws
  // Error{usage} where the system gives no more threads.
  using Fill = std::function<bool(int64_t number, BatchSlot& slot)>;
  WorkerPool(size_t workers, std::vector<BatchSlot*> slots, Fill fill);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void start_epoch(int64_t first, int64_t end);  // numbers [first, end)
  // The next batch in order; nullptr: the epoch has ended. Gives the one before back. Rethrows what a worker threw.
  BatchSlot* next();
  void stop_epoch();  // waits for the workers to be idle

 private:
  enum class State { free, filling, full };
  struct Entry {
    BatchSlot* slot;
    State state = State::free;
    int64_t number = -1;
  };
  void work();
  void quit();  // waits for the workers to end
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
