// The plugin call that runs on this thread, for crash reports, error messages and the profiler.
#pragma once
#include <atomic>
#include <cstdint>

namespace levin::core {

struct Breadcrumb {
  const char* plugin = nullptr;  // nullptr = the host itself
  const char* call = nullptr;
  const char* instance = nullptr;  // the component's instance; nullptr = a call of the plugin itself
  int64_t since = 0;               // start time in ns of a monotonic clock
  uint64_t number = 0;             // number of the call on this thread
};
inline thread_local Breadcrumb breadcrumb;  // set with show_call

// Defined in running_calls.cpp, which makes the call visible to other threads.
Breadcrumb begun_now(const char* plugin, const char* call, const char* instance) noexcept;
void show_call(const Breadcrumb& call) noexcept;

// Called before and after every call into a plugin and every action of the host, on the thread of that call.
class CallListener {
 public:
  virtual ~CallListener() = default;
  virtual void enter(const Breadcrumb& call) = 0;
  virtual void leave(const Breadcrumb& call) = 0;
};
// nullptr = none. A listener must outlive every call that begins while it is set.
inline std::atomic<CallListener*> call_listener{nullptr};

// Notifies the listener of the beginning of a call and, at the end of the scope, of its end.
class CallScope {
 public:
  explicit CallScope(const Breadcrumb& call) : call_(call), listener_(call_listener.load(std::memory_order_relaxed)) {
    if (listener_) listener_->enter(call_);
  }
  explicit CallScope(const char* action) : CallScope(Breadcrumb{nullptr, action}) {}
  ~CallScope() {
    if (listener_) listener_->leave(call_);
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  Breadcrumb call_;
  CallListener* listener_;
};

// Sets the breadcrumb while the host works for a plugin's call, right before or after it.
class BlameScope {
 public:
  BlameScope(const char* plugin, const char* call, const char* instance) : before_(breadcrumb) {
    show_call(begun_now(plugin, call, instance));
  }
  ~BlameScope() { show_call(before_); }
  BlameScope(const BlameScope&) = delete;
  BlameScope& operator=(const BlameScope&) = delete;

 private:
  Breadcrumb before_;
};

// Sets the breadcrumb and notifies the listener. plugin = nullptr: the host waits here for other threads.
class BreadcrumbScope {
 public:
  BreadcrumbScope(const char* plugin, const char* call, const char* instance = nullptr)
      : before_(breadcrumb), scope_(Breadcrumb{plugin, call, instance}) {
    show_call(begun_now(plugin, call, instance));
  }
  ~BreadcrumbScope() { show_call(before_); }
  BreadcrumbScope(const BreadcrumbScope&) = delete;
  BreadcrumbScope& operator=(const BreadcrumbScope&) = delete;

 private:
  Breadcrumb before_;
  CallScope scope_;
};

}  // namespace levin::core
