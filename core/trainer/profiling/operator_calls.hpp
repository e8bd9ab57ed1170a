// While it exists, the call listener also receives LibTorch's operators, forward and backward, from all callers.
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
