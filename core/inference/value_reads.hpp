// Notices that what is traced reads numbers out of its input, by item() or a condition on a tensor: what it does with
// them is not in the trace.
#pragma once
#include <ATen/record_function.h>

namespace levin::core {

// Watches this thread. One at a time.
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
