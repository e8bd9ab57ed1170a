// Where a component may log, and the defaults of on_step and on_epoch there: Lightning's table as pure functions.
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
  bool step_possible;      // whether on_step = true is allowed
  bool epoch_optional;     // whether on_epoch = false is allowed
};

LogRule log_rule(uint32_t origin);
std::string origin_name(uint32_t origin);
// The origin for the name of a hook or a step; all hooks from which nothing is logged have the origin `outside`. Throws
// Error{usage} for a name that is not a hook.
uint32_t origin_from_name(const std::string& hook);

struct LogWhen {
  bool on_step, on_epoch;
};
// Applies the rule to the arguments, where -1 means the default. Throws Error{usage} where Lightning refuses them.
LogWhen resolve_when(uint32_t origin, int8_t on_step, int8_t on_epoch);

// Whether loggers have to write to the disk after the optimizer step with this number (from 0). With every = 0 they
// never have to.
bool flushes_logs(int64_t every, int64_t global_step, bool stopping);

enum class Reduce { mean, sum, min, max };
Reduce reduce_from(const char* name);  // nullptr means mean; throws Error{usage} for an unknown name

}  // namespace levin::core
