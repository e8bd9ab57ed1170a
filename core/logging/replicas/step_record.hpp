// What one replica of the model logs in its step, kept until all of them have ended.
#pragma once
#include <ATen/core/Tensor.h>

#include <deque>
#include <string>

#include "core/components/log_origin.hpp"

namespace levin::core {

// One call of log(), with copies of what its arguments point to.
struct RecordedLog {
  RecordedLog(LogOrigin where, const levin_log& given);
  levin_log arguments(const at::Tensor& value) const;  // with this tensor, or, if it is undefined, the number

  LogOrigin origin;
  levin_log log;  // its pointers may be invalid, but for the metric's
  std::string name, reduce_fx;
  bool has_reduce_fx;
  at::Tensor tensor;
  bool taken = false;  // put together with those of the other replicas
};

class StepRecord {
 public:
  // Throws Error{usage} for a call without a name. A deque, so that calls stay where they are.
  void add(LogOrigin origin, const levin_log& log);
  std::deque<RecordedLog>& calls() { return calls_; }
  void clear() { calls_.clear(); }

 private:
  std::deque<RecordedLog> calls_;
};

}  // namespace levin::core
