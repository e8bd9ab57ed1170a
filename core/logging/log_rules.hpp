// Where a component may log, and what on_step and on_epoch mean there: Lightning's table, as pure functions.
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
// The origin by the name of a hook, step or override. Those from which nothing is logged share `outside`. Throws
// Error{usage} for any other name.
LogOrigin origin_from_name(const std::string& name);

struct LogWhen {
  bool on_step, on_epoch;
};
// Applies the rule to the arguments (-1: default). Throws Error{usage} with Lightning's meaning.
LogWhen resolve_when(LogOrigin origin, int8_t on_step, int8_t on_epoch);

// Whether loggers have to write to the disk after the optimizer step of this number (from 0). every: 0 is never.
bool flushes_logs(int64_t every, int64_t global_step, bool stopping);

enum class Reduce { mean, sum, min, max };
Reduce reduce_from(const char* name);  // nullptr: mean; throws Error{usage}

}  // namespace levin::core
