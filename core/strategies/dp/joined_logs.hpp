// Merges what the replicas of a model have logged in one step, so that each value is logged once.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/strategies/dp/step_record.hpp"

namespace levin::core {

// step: the step value of a metric with a state.
using JoinedLogSink = std::function<void(LogOrigin origin, const levin_log& log, const std::optional<double>& step)>;

// records, rows: one per replica, in the replicas' order. A mean is weighted by the rows, or by batch_size if given;
// sum, min and max are over all replicas. A metric with a state gets the state of all rows, in the first replica. The
// first replica's metrics come first, in its order. Throws Error{usage}, which names the metric, for a metric whose
// states cannot be merged.
void join_logs(const std::vector<StepRecord*>& records, const std::vector<int64_t>& rows, const JoinedLogSink& sink);

}  // namespace levin::core
