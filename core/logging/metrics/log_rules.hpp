// Where a component may log, and the defaults of on_step and on_epoch there: Lightning's table as pure functions.
#pragma once
#include <cstdint>
#include <string>

#include "core/components/log_origin.hpp"

namespace levin::core {

struct LogRule {
  bool allowed;
  bool on_step, on_epoch;  // the defaults
  bool step_possible;      // whether on_step = true is allowed
  bool epoch_optional;     // whether on_epoch = false is allowed
};

LogRule log_rule(LogOrigin origin);
std::string origin_name(LogOrigin origin);
// The origin by the name of a hook, step or override. Those from which nothing is logged share `outside`. Throws
// Error{usage} for any other name.
LogOrigin origin_from_name(const std::string& name);

struct LogWhen {
  bool on_step, on_epoch;
};
// Applies the rule to the arguments, where -1 means the default. Throws Error{usage} where Lightning refuses them.
LogWhen resolve_when(LogOrigin origin, int8_t on_step, int8_t on_epoch);

// Whether loggers have to write to the disk after the optimizer step with this number (from 0). With every = 0 they
// never have to.
bool flushes_logs(int64_t every, int64_t global_step, bool stopping);

// Throws Error{usage} for a name with control characters, such as a line break, or one that is not UTF-8: loggers write
// names into files of lines.
void check_metric_name(const std::string& name);

enum class Reduce { mean, sum, min, max };
Reduce reduce_from(const char* name);  // nullptr means mean; throws Error{usage} for an unknown name

}  // namespace levin::core
