#include "core/logging/log_rules.hpp"

#include "core/base/error.hpp"
#include "core/config/schema.hpp"

namespace levin::core {
namespace {

constexpr LogRule never = {false, false, false, false, false};
constexpr LogRule by_step = {true, true, false, true, true};
constexpr LogRule by_epoch = {true, false, true, true, true};
constexpr LogRule epoch_only = {true, false, true, false, false};

}  // namespace

LogRule log_rule(uint32_t origin) {
  switch (origin) {
    case training_step:
    case optimization:
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
  switch (origin) {
    case training_step:
      return "training_step";
    case validation_step:
      return "validation_step";
    case test_step:
      return "test_step";
    case predict_step:
      return "predict_step";
    case configure_optimizers:
      return "configure_optimizers";
    case optimization:
      return "optimizer_step";
    default:
      break;
  }
  const char* name = hook_name(origin);
  return name ? name : "this place";
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
  const std::string text = name ? name : "mean";
  if (text == "mean" || text == "avg") return Reduce::mean;
  if (text == "sum") return Reduce::sum;
  if (text == "min") return Reduce::min;
  if (text == "max") return Reduce::max;
  throw Error(ErrorKind::usage, "log(reduce_fx=" + text + ") is unknown; valid: mean, sum, min, max");
}

}  // namespace levin::core
