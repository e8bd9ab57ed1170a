// While it lives, the call listener is also told of LibTorch's operators, forward and backward, whoever calls them.
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
