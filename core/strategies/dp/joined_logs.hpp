// Merges what the replicas of a model have logged in one step, so that each value is logged once.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

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

// The calls of log() of one replica in its step, kept until all replicas are done.
class StepRecord {
 public:
  // Throws Error{usage} for a call without a name. A deque keeps references to calls valid.
  void add(LogOrigin origin, const levin_log& log);
  std::deque<RecordedLog>& calls() { return calls_; }

 private:
  std::deque<RecordedLog> calls_;
};

// step: the step value of a metric with a state.
using JoinedLogSink = std::function<void(LogOrigin origin, const levin_log& log, const std::optional<double>& step)>;

// records, rows: one per replica, in the replicas' order. A mean is weighted by the rows, or by batch_size if given;
// sum, min and max are over all replicas. A metric with a state gets the state of all rows, in the first replica. The
// first replica's metrics come first, in its order. Throws Error{usage}, which names the metric, for a metric whose
// states cannot be merged.
void join_logs(const std::vector<StepRecord*>& records, const std::vector<int64_t>& rows, const JoinedLogSink& sink);

}  // namespace levin::core
