// What the host's collectives on this thread are for, for people: "gradients". Those of plugins have no purpose of the
// host's.
#pragma once
#include <utility>

namespace levin::core {

inline thread_local const char* collective_purpose = "";

class PurposeScope {
 public:
  explicit PurposeScope(const char* purpose) : before_(std::exchange(collective_purpose, purpose)) {}
  ~PurposeScope() { collective_purpose = before_; }
  PurposeScope(const PurposeScope&) = delete;
  PurposeScope& operator=(const PurposeScope&) = delete;

 private:
  const char* before_;
};

}  // namespace levin::core
