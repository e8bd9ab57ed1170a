// LibTorch's operators as calls that the listener hears of: those of plugins and of the host, forward and backward.
#pragma once
#include <cstdint>

namespace levin::core {

class OperatorCalls {
 public:
  OperatorCalls();
  ~OperatorCalls();
  OperatorCalls(const OperatorCalls&) = delete;
  OperatorCalls& operator=(const OperatorCalls&) = delete;

 private:
  uint64_t handle_;
};

}  // namespace levin::core
