// The places from which a component may log, with their defaults of on_step and on_epoch: Lightning's table as pure
// functions.
#pragma once
#include <cstdint>
#include <string>

#include "core/components/log_origin.hpp"

namespace levin::core {

struct LogRule {
  bool allowed;
  bool on_step, on_epoch;  // the defaults
  bool step_possible;      // on_step = true is allowed
  bool epoch_optional;     // on_epoch = false is allowed
};

LogRule log_rule(LogOrigin origin);
std::string origin_name(LogOrigin origin);

struct LogWhen {
  bool on_step, on_epoch;
};
// Applies the rule to the arguments, where -1 = the default. Throws Error{usage} where Lightning raises an error.
LogWhen resolve_when(LogOrigin origin, int8_t on_step, int8_t on_epoch);

// Returns true if the loggers are flushed after the optimizer step with this number (from 0). every: 0 = never.
bool flushes_logs(int64_t every, int64_t global_step, bool stopping);

// Throws Error{usage} for a name with control characters, such as a line break, or one that is not UTF-8: loggers write
// names into text files, a row a line.
void check_metric_name(const std::string& name);

enum class Reduce { mean, sum, min, max };
Reduce reduce_from(const char* name);  // nullptr = mean; throws Error{usage} for an unknown name

}  // namespace levin::core
