// A barrier among the processes of one machine, in memory that they share.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>

namespace levin::core {

// Lies in shared memory; zeros at first.
struct BarrierState {
  alignas(64) std::atomic<uint32_t> arrived;     // how often a rank has arrived, all ranks together; wraps
  alignas(64) std::atomic<uint32_t> generation;  // how many barriers all ranks have reached; wraps
  std::atomic<uint32_t> sleepers;                // ranks that the last one to arrive has to wake
};
static_assert(std::atomic<uint32_t>::is_always_lock_free);

class NodeBarrier {
 public:
  // while_waiting is called about ten times a second as long as wait() waits; it throws if a rank is known to be lost.
  NodeBarrier(BarrierState& state, int size, std::function<void()> while_waiting);

  // Returns once all ranks have called it as often as this one. Waits without using a core if that takes long.
  // Throws what while_waiting throws; then the barrier cannot be used any more.
  void wait();

 private:
  bool there() const { return state_.generation.load() == mine_; }
  bool spin() const;
  bool yield() const;
  void sleep();

  BarrierState& state_;
  uint32_t size_;
  bool own_core_;  // there are as many cores as ranks
  std::function<void()> while_waiting_;
  uint32_t mine_ = 0;  // how often this rank has called wait(); wraps
};

}  // namespace levin::core
