// The plugin that runs on this thread and its call, for crash reports, error messages and the profiler.
#pragma once
#include <atomic>

namespace levin::core {

struct Breadcrumb {
  const char* plugin = nullptr;  // nullptr: the host itself
  const char* call = nullptr;
  const char* instance = nullptr;  // of the component; nullptr: the call is to the plugin itself
};
inline thread_local Breadcrumb breadcrumb;

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
