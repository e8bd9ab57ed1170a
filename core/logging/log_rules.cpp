#include "core/logging/log_rules.hpp"

#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/schema.hpp"

namespace levin::core {
namespace {

constexpr LogRule never = {false, false, false, false, false};
constexpr LogRule by_step = {true, true, false, true, true};
constexpr LogRule by_epoch = {true, false, true, true, true};
constexpr LogRule epoch_only = {true, false, true, false, false};

using Names = std::vector<std::pair<std::string, uint32_t>>;
const Names& steps_and_overrides() {
  static const Names names = {{"training_step", training_step},
                              {"validation_step", validation_step},
                              {"test_step", test_step},
                              {"predict_step", predict_step},
                              {"configure_optimizers", configure_optimizers},
                              {"optimizer_step", optimizer_step},
                              {"optimizer_zero_grad", optimizer_zero_grad},
                              {"backward", backward},
                              {"configure_gradient_clipping", configure_gradient_clipping}};
  return names;
}

// Hooks that run while there is nothing to log to.
constexpr const char* silent_hooks[] = {"configure_callbacks",
                                        "configure_sharded_model",
                                        "prepare_data",
                                        "lr_scheduler_step",
                                        "state_dict",
                                        "load_state_dict",
                                        "on_before_batch_transfer",
                                        "transfer_batch_to_device",
                                        "on_after_batch_transfer"};

}  // namespace

LogRule log_rule(uint32_t origin) {
  switch (origin) {
    case training_step:
    case optimizer_step:
    case optimizer_zero_grad:
    case backward:
    case configure_gradient_clipping:
    case LEVIN_HOOK_BEFORE_BACKWARD:
    case LEVIN_HOOK_AFTER_BACKWARD:
    case LEVIN_HOOK_BEFORE_OPTIMIZER_STEP:
    case LEVIN_HOOK_BEFORE_ZERO_GRAD:
    case LEVIN_HOOK_TRAIN_BATCH_START:
    case LEVIN_HOOK_TRAIN_BATCH_END:
      return by_step;
    case validation_step:
    case test_step:
    case LEVIN_HOOK_VALIDATION_BATCH_START:
    case LEVIN_HOOK_VALIDATION_BATCH_END:
    case LEVIN_HOOK_TEST_BATCH_START:
    case LEVIN_HOOK_TEST_BATCH_END:
      return by_epoch;
    case LEVIN_HOOK_TRAIN_START:
    case LEVIN_HOOK_VALIDATION_START:
    case LEVIN_HOOK_TEST_START:
    case LEVIN_HOOK_TRAIN_EPOCH_START:
    case LEVIN_HOOK_TRAIN_EPOCH_END:
    case LEVIN_HOOK_VALIDATION_EPOCH_START:
    case LEVIN_HOOK_VALIDATION_EPOCH_END:
    case LEVIN_HOOK_TEST_EPOCH_START:
    case LEVIN_HOOK_TEST_EPOCH_END:
      return epoch_only;
    default:
      return never;
  }
}

std::string origin_name(uint32_t origin) {
  for (const auto& [name, known] : steps_and_overrides())
    if (known == origin) return name;
  const char* name = hook_name(origin);
  return name ? name : "this place";
}

uint32_t origin_from_name(const std::string& hook) {
  for (const auto& [name, origin] : steps_and_overrides())
    if (name == hook) return origin;
  if (hook == "clip_gradients") return configure_gradient_clipping;  // the same override
  for (uint32_t h = 0; h < LEVIN_HOOK_COUNT; ++h)
    if (hook_name(h) && hook == hook_name(h)) return h;
  for (const char* name : silent_hooks)
    if (hook == name) return outside;
  throw Error(ErrorKind::usage, "'" + hook + "' is not a hook");
}

LogWhen resolve_when(uint32_t origin, int8_t on_step, int8_t on_epoch) {
  const LogRule rule = log_rule(origin);
  const std::string where = origin_name(origin);
  if (!rule.allowed) throw Error(ErrorKind::usage, "log cannot be called inside " + where);
  const LogWhen when = {on_step == LEVIN_LOG_DEFAULT ? rule.on_step : on_step != 0,
                        on_epoch == LEVIN_LOG_DEFAULT ? rule.on_epoch : on_epoch != 0};
  if (when.on_step && !rule.step_possible)
    throw Error(ErrorKind::usage, "log(on_step=true) cannot be used inside " + where + ", only on_step=false");
  if (!when.on_epoch && !rule.epoch_optional)
    throw Error(ErrorKind::usage, "log(on_epoch=false) cannot be used inside " + where + ", only on_epoch=true");
  if (!when.on_step && !when.on_epoch)
    throw Error(ErrorKind::usage, "log(on_step=false, on_epoch=false) is not useful");
  return when;
}

bool flushes_logs(int64_t every, int64_t global_step, bool stopping) {
  return every > 0 && ((global_step + 1) % every == 0 || stopping);
}

Reduce reduce_from(const char* name) {
  const std::string text = lower(name ? name : "mean");
  if (text == "mean" || text == "avg") return Reduce::mean;
  if (text == "sum") return Reduce::sum;
  if (text == "min") return Reduce::min;
  if (text == "max") return Reduce::max;
  throw Error(ErrorKind::usage, "log(reduce_fx=" + std::string(name) + ") is unknown; valid: mean, sum, min, max");
}

}  // namespace levin::core
