// Which plugin runs on this thread, and in which call: what a crash report and an error message name.
#pragma once

namespace levin::core {

struct Breadcrumb {
  const char* plugin = nullptr;  // nullptr: the host itself
  const char* call = nullptr;
};
inline thread_local Breadcrumb breadcrumb;

class BreadcrumbScope {
 public:
  BreadcrumbScope(const char* plugin, const char* call) : before_(breadcrumb) { breadcrumb = {plugin, call}; }
  ~BreadcrumbScope() { breadcrumb = before_; }
  BreadcrumbScope(const BreadcrumbScope&) = delete;
  BreadcrumbScope& operator=(const BreadcrumbScope&) = delete;

 private:
  Breadcrumb before_;
};

}  // namespace levin::core
