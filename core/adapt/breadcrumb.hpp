// Which plugin runs on this thread, and in which call: what a crash report, an error message and a profiler name.
#pragma once
#include <atomic>

namespace levin::core {

struct Breadcrumb {
  const char* plugin = nullptr;  // nullptr: the host itself
  const char* call = nullptr;
};
inline thread_local Breadcrumb breadcrumb;

// Told of every call into a plugin, on the thread that makes it.
class CallListener {
 public:
  virtual ~CallListener() = default;
  virtual void enter(const Breadcrumb& call) = 0;
  virtual void leave(const Breadcrumb& call) = 0;
};
// nullptr: nobody listens. Outlives every call that began while it was set.
inline std::atomic<CallListener*> call_listener{nullptr};

class BreadcrumbScope {
 public:
  BreadcrumbScope(const char* plugin, const char* call)
      : before_(breadcrumb), listener_(call_listener.load(std::memory_order_relaxed)) {
    breadcrumb = {plugin, call};
    if (listener_) listener_->enter(breadcrumb);
  }
  ~BreadcrumbScope() {
    if (listener_) listener_->leave(breadcrumb);
    breadcrumb = before_;
  }
  BreadcrumbScope(const BreadcrumbScope&) = delete;
  BreadcrumbScope& operator=(const BreadcrumbScope&) = delete;

 private:
  Breadcrumb before_;
  CallListener* listener_;
};

}  // namespace levin::core
