#include "core/abi/running_calls.hpp"

#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace levin::core {
namespace {

// One slot for each thread that has called a plugin. `busy` guards the rest: while it is held, the call's texts stay
// valid.
struct Slot {
  std::atomic<pid_t> thread{0};  // 0 = free
  std::atomic<bool> busy{false};
  Breadcrumb call;
};
constexpr size_t most_threads = 512;  // calls of further threads are not recorded
Slot slots[most_threads];

bool try_lock(Slot& slot) { return !slot.busy.exchange(true, std::memory_order_acquire); }
void unlock(Slot& slot) { slot.busy.store(false, std::memory_order_release); }

Slot* claim_slot() {
  const pid_t self = gettid();
  for (Slot& slot : slots) {
    pid_t nobody = 0;
    if (slot.thread.compare_exchange_strong(nobody, self)) return &slot;
  }
  return nullptr;
}

void set_call(Slot& slot, const Breadcrumb& call) {
  while (!try_lock(slot)) {  // another thread is copying the call
  }
  slot.call = call;
  unlock(slot);
}

struct OwnSlot {
  Slot* slot = claim_slot();
  OwnSlot() = default;
  OwnSlot(const OwnSlot&) = delete;
  OwnSlot& operator=(const OwnSlot&) = delete;
  ~OwnSlot() {
    if (!slot) return;
    set_call(*slot, {});
    slot->thread = 0;
  }
};
thread_local OwnSlot slot_of_thread;

int64_t coarse_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

template <size_t N>
void copy_text(char (&to)[N], const char* from) {
  size_t n = 0;
  for (; from && from[n] && n + 1 < N; ++n) to[n] = from[n];
  to[n] = 0;
}

// Copies the slot's call. Returns false if it has none or is being changed, perhaps by the code that a signal has
// interrupted.
bool read_call(Slot& slot, RunningCall& out) {
  for (int tries = 0; !try_lock(slot); ++tries)
    if (tries == 10'000) return false;
  const Breadcrumb& call = slot.call;
  const bool runs = call.call != nullptr;
  if (runs) {
    copy_text(out.plugin, call.plugin);
    copy_text(out.instance, call.instance);
    copy_text(out.call, call.call);
    out.number = call.number;
    out.seconds = static_cast<double>(coarse_now() - call.since) / 1e9;
  }
  unlock(slot);
  return runs;
}

}  // namespace

void show_call(const Breadcrumb& call) noexcept {
  breadcrumb = call;
  if (slot_of_thread.slot) set_call(*slot_of_thread.slot, call);
}

Breadcrumb begun_now(const char* plugin, const char* call, const char* instance) noexcept {
  thread_local uint64_t calls = 0;
  return {plugin, call, instance, coarse_now(), ++calls};
}

size_t running_calls(RunningCall* out, size_t most) noexcept {
  size_t n = 0;
  for (Slot& slot : slots) {
    const pid_t thread = slot.thread.load(std::memory_order_relaxed);
    if (thread == 0 || n == most || !read_call(slot, out[n])) continue;
    out[n++].thread = thread;
  }
  std::sort(out, out + n, [](const RunningCall& a, const RunningCall& b) { return a.seconds > b.seconds; });
  return n;
}

void add_call(EmergencyOutput& line, const RunningCall& call) {
  line.add("plugin ").add(call.plugin).add(" has been in ");
  if (call.instance[0]) line.add(call.instance).add(".");
  line.add(call.call).add(" for ").add_seconds(call.seconds);
}

}  // namespace levin::core
