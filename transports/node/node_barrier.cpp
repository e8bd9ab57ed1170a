#include "transports/node/node_barrier.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <ctime>
#include <utility>

namespace levin::core {
namespace {

using Clock = std::chrono::steady_clock;

// If each rank has a core, the others arrive within microseconds or much later. Do not spin longer: another program may
// occupy the other rank's core.
constexpr auto spins_for = std::chrono::microseconds(1);
constexpr int looks_at_once = 8;  // checks per reading of the clock; a pause is up to 140 cycles
// Yielding the core costs a microsecond; a wake-up costs tens of microseconds.
constexpr auto yields_for = std::chrono::microseconds(200);
constexpr long sleep_ns = 100'000'000;

void pause_core() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

int usable_cores() {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof(cores), &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

// Not the private futexes, because the word is shared between processes.
void futex_wait(std::atomic<uint32_t>& word, uint32_t while_it_is) {
  const timespec timeout{0, sleep_ns};
  syscall(SYS_futex, &word, FUTEX_WAIT, while_it_is, &timeout, nullptr, 0);
}
void futex_wake_all(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace

NodeBarrier::NodeBarrier(BarrierState& state, int size, std::function<void()> while_waiting)
    : state_(state),
      size_(static_cast<uint32_t>(size)),
      own_core_(size <= usable_cores()),
      while_waiting_(std::move(while_waiting)) {}

void NodeBarrier::wait() {
  ++mine_;
  if (state_.arrived.fetch_add(1) + 1 == mine_ * size_) {
    state_.generation.store(mine_);
    if (state_.sleepers.load() != 0) futex_wake_all(state_.generation);
    return;
  }
  if (spin() || yield()) return;
  sleep();
}

bool NodeBarrier::spin() const {
  const auto end = Clock::now() + (own_core_ ? spins_for : spins_for * 0);
  do {
    for (int i = 0; i < looks_at_once; ++i) {
      if (there()) return true;
      pause_core();
    }
  } while (Clock::now() < end);
  return false;
}

bool NodeBarrier::yield() const {
  const auto end = Clock::now() + yields_for;
  while (!there()) {
    if (Clock::now() > end) return false;
    sched_yield();
  }
  return true;
}

// A sleeper increments the count before it last checks the generation. The last rank to arrive changes the generation
// before it reads the count. So at least one of them sees the other.
void NodeBarrier::sleep() {
  auto told = Clock::now();
  while (!there()) {
    state_.sleepers.fetch_add(1);
    futex_wait(state_.generation, mine_ - 1);
    state_.sleepers.fetch_sub(1);
    if (there() || Clock::now() - told < std::chrono::nanoseconds(sleep_ns) * 9 / 10) continue;
    told = Clock::now();
    if (while_waiting_) while_waiting_();
  }
}

}  // namespace levin::core
