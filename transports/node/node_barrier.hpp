// A barrier among the processes of one machine, in shared memory.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>

namespace levin::core {

// Placed in shared memory, zero-initialized.
struct BarrierState {
  alignas(64) std::atomic<uint32_t> arrived;     // arrivals of all ranks; wraps
  alignas(64) std::atomic<uint32_t> generation;  // completed barriers; wraps
  std::atomic<uint32_t> sleepers;                // ranks that the last rank to arrive has to wake
};
static_assert(std::atomic<uint32_t>::is_always_lock_free);

class NodeBarrier {
 public:
  // while_waiting is called about ten times a second while wait() sleeps; it throws if a rank is known to be lost.
  NodeBarrier(BarrierState& state, int size, std::function<void()> while_waiting);

  // Blocks until all ranks have called it as often as this one. Long waits sleep without using a core. Rethrows
  // exceptions of while_waiting; the barrier must not be used after that.
  void wait();

 private:
  bool there() const { return state_.generation.load() == mine_; }
  bool spin() const;
  bool yield() const;
  void sleep();

  BarrierState& state_;
  uint32_t size_;
  bool own_core_;  // there are at least as many cores as ranks
  std::function<void()> while_waiting_;
  uint32_t mine_ = 0;  // number of wait() calls of this rank; wraps
};

}  // namespace levin::core
