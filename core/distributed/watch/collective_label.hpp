// The purpose of the host's collectives on this thread, for messages: "gradients". Collectives of plugins have none.
#pragma once
#include <utility>

namespace levin::core {

inline thread_local const char* collective_label = "";

class CollectiveLabel {
 public:
  explicit CollectiveLabel(const char* purpose) : before_(std::exchange(collective_label, purpose)) {}
  ~CollectiveLabel() { collective_label = before_; }
  CollectiveLabel(const CollectiveLabel&) = delete;
  CollectiveLabel& operator=(const CollectiveLabel&) = delete;

 private:
  const char* before_;
};

}  // namespace levin::core
