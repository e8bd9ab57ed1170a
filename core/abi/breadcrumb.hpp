// The plugin that runs on this thread and its call, for crash reports, error messages and the profiler.
#pragma once
#include <atomic>
#include <cstdint>

namespace levin::core {

struct Breadcrumb {
  const char* plugin = nullptr;  // nullptr: the host itself
  const char* call = nullptr;
  const char* instance = nullptr;  // of the component; nullptr: the call is to the plugin itself
  int64_t since = 0;               // when it began, in ns of a clock of our own
  uint64_t number = 0;             // counted by the thread
};
inline thread_local Breadcrumb breadcrumb;  // set it by show_call

// running_calls.cpp, where other threads can see the call too.
Breadcrumb begun_now(const char* plugin, const char* call, const char* instance) noexcept;
void show_call(const Breadcrumb& call) noexcept;

// Its functions are called around every call into a plugin and every action of the host, on the thread that makes it.
class CallListener {
 public:
  virtual ~CallListener() = default;
  virtual void enter(const Breadcrumb& call) = 0;
  virtual void leave(const Breadcrumb& call) = 0;
};
// nullptr: there is no listener. A listener must outlive every call that began while it was set.
inline std::atomic<CallListener*> call_listener{nullptr};

// Tells the listener that the call begins, and at the end of the scope that it ends.
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

// Names the call that the host works for, for what happens right before or after it.
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

// plugin nullptr: the host waits here for other threads.
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
