// The calls of log() of one replica in its step, kept until all replicas are done.
#pragma once
#include <ATen/core/Tensor.h>

#include <deque>
#include <string>

#include "core/components/log_origin.hpp"

namespace levin::core {

// One call of log(), with copies of its arguments.
struct RecordedLog {
  RecordedLog(LogOrigin where, const levin_log& given);
  levin_log arguments(
      const at::Tensor& value) const;  // the arguments with this tensor or, if it is undefined, the number

  LogOrigin origin;
  levin_log log;  // its pointers may be invalid, except the metric's
  std::string name, reduce_fx;
  bool has_reduce_fx;
  at::Tensor tensor;
  bool taken = false;  // merged with the other replicas' calls
};

class StepRecord {
 public:
  // Throws Error{usage} for a call without a name. A deque keeps references to calls valid.
  void add(LogOrigin origin, const levin_log& log);
  std::deque<RecordedLog>& calls() { return calls_; }
  void clear() { calls_.clear(); }

 private:
  std::deque<RecordedLog> calls_;
};

}  // namespace levin::core
