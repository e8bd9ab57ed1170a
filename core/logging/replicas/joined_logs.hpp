// Puts together what the replicas of a model have logged in one step, so that each value is logged once.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/logging/replicas/step_record.hpp"

namespace levin::core {

// step: of a metric with a state, its value on the step.
using JoinedLogSink = std::function<void(LogOrigin origin, const levin_log& log, const std::optional<double>& step)>;

// One record and one number of rows a replica, in their order. A mean is weighted by the rows, or by the batch_size
// that was given; sum, min and max are those of all replicas. A metric with a state becomes, in the first replica, that
// of all rows. What the first replica has logged comes first, in its order. Throws Error{usage}, which names the
// metric, for a metric with a state that cannot be put together.
void join_logs(const std::vector<StepRecord*>& records, const std::vector<int64_t>& rows, const JoinedLogSink& sink);

}  // namespace levin::core
