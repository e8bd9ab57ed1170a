// Which plugin runs on this thread, and in which call: what a crash report, an error message and a profiler name.
#pragma once
#include <atomic>

namespace levin::core {

struct Breadcrumb {
  const char* plugin = nullptr;  // nullptr: the host itself
  const char* call = nullptr;
  const char* instance = nullptr;  // of a component; nullptr: the call is to the plugin itself
};
inline thread_local Breadcrumb breadcrumb;

// Told of every call into a plugin and of the host's own actions, on the thread that makes them.
class CallListener {
 public:
  virtual ~CallListener() = default;
  virtual void enter(const Breadcrumb& call) = 0;
  virtual void leave(const Breadcrumb& call) = 0;
};
// nullptr: nobody listens. Outlives every call that began while it was set.
inline std::atomic<CallListener*> call_listener{nullptr};

// The listener's view of a call, for as long as it lives.
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

class BreadcrumbScope {
 public:
  BreadcrumbScope(const char* plugin, const char* call, const char* instance = nullptr)
      : before_(breadcrumb), scope_(Breadcrumb{plugin, call, instance}) {
    breadcrumb = {plugin, call, instance};
  }
  ~BreadcrumbScope() { breadcrumb = before_; }
  BreadcrumbScope(const BreadcrumbScope&) = delete;
  BreadcrumbScope& operator=(const BreadcrumbScope&) = delete;

 private:
  Breadcrumb before_;
  CallScope scope_;
};

}  // namespace levin::core
