// Where a component may log, and what on_step and on_epoch mean there: Lightning's table, as pure functions.
#pragma once
#include <cstdint>
#include <string>

#include "sdk/include/levin/abi.h"

namespace levin::core {

// Where a log call comes from: a LEVIN_HOOK_*, or one of these.
enum Origin : uint32_t {
  training_step = 1000,
  validation_step,
  test_step,
  predict_step,
  configure_optimizers,
  optimizer_step,  // overrides
  optimizer_zero_grad,
  backward,
  configure_gradient_clipping,
  outside,
};

struct LogRule {
  bool allowed;
  bool on_step, on_epoch;  // the defaults
  bool step_possible;      // on_step = true is allowed
  bool epoch_optional;     // on_epoch = false is allowed
};

LogRule log_rule(uint32_t origin);
std::string origin_name(uint32_t origin);
// Of a hook's or step's name; hooks from which nothing is logged share `outside`. Throws Error{usage} for a name that
// is no hook.
uint32_t origin_from_name(const std::string& hook);

struct LogWhen {
  bool on_step, on_epoch;
};
// Applies the rule to the arguments (-1: default). Throws Error{usage} with Lightning's meaning.
LogWhen resolve_when(uint32_t origin, int8_t on_step, int8_t on_epoch);

// Whether loggers have to write to the disk after the optimizer step of this number (from 0). every: 0 is never.
bool flushes_logs(int64_t every, int64_t global_step, bool stopping);

enum class Reduce { mean, sum, min, max };
Reduce reduce_from(const char* name);  // nullptr: mean; throws Error{usage}

}  // namespace levin::core
