// Detects that traced code reads numbers from its input, by item() or a condition on a tensor. What the code does with
// these numbers is not in the trace.
#pragma once
#include <ATen/record_function.h>

namespace levin::core {

// Observes the current thread. Only one object may exist at a time.
class ValueReads {
 public:
  ValueReads();
  ~ValueReads();
  ValueReads(const ValueReads&) = delete;
  ValueReads& operator=(const ValueReads&) = delete;
  bool any() const;

 private:
  at::CallbackHandle handle_;
};

}  // namespace levin::core
