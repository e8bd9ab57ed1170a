#include "core/logging/metrics/log_rules.hpp"

#include <iterator>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/schema.hpp"

namespace levin::core {
namespace {

constexpr LogRule never = {false, false, false, false, false};
constexpr LogRule by_step = {true, true, false, true, true};
constexpr LogRule by_epoch = {true, false, true, true, true};
constexpr LogRule epoch_only = {true, false, true, false, false};

// In the order of LogOrigin, from training_step on.
constexpr const char* steps_and_overrides[] = {"training_step",
                                               "validation_step",
                                               "test_step",
                                               "predict_step",
                                               "configure_optimizers",
                                               "optimizer_step",
                                               "optimizer_zero_grad",
                                               "backward",
                                               "configure_gradient_clipping"};

LogRule rule_of_hook(uint32_t hook) {
  switch (hook) {
    case LEVIN_HOOK_BEFORE_BACKWARD:
    case LEVIN_HOOK_AFTER_BACKWARD:
    case LEVIN_HOOK_BEFORE_OPTIMIZER_STEP:
    case LEVIN_HOOK_BEFORE_ZERO_GRAD:
    case LEVIN_HOOK_TRAIN_BATCH_START:
    case LEVIN_HOOK_TRAIN_BATCH_END:
      return by_step;
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

}  // namespace

LogRule log_rule(LogOrigin origin) {
  switch (origin) {
    case LogOrigin::training_step:
    case LogOrigin::optimizer_step:
    case LogOrigin::optimizer_zero_grad:
    case LogOrigin::backward:
    case LogOrigin::configure_gradient_clipping:
      return by_step;
    case LogOrigin::validation_step:
    case LogOrigin::test_step:
      return by_epoch;
    default:
      return is_hook(origin) ? rule_of_hook(static_cast<uint32_t>(origin)) : never;
  }
}

std::string origin_name(LogOrigin origin) {
  const auto number = static_cast<uint32_t>(origin), first = static_cast<uint32_t>(LogOrigin::training_step);
  if (number >= first && number - first < std::size(steps_and_overrides)) return steps_and_overrides[number - first];
  const char* name = hook_name(number);
  return name ? name : "this place";
}

LogWhen resolve_when(LogOrigin origin, int8_t on_step, int8_t on_epoch) {
  const LogRule rule = log_rule(origin);
  const std::string where = origin_name(origin);
  if (!rule.allowed) throw Error(ErrorCode::call_invalid, "log cannot be called inside " + where);
  const LogWhen when = {on_step == LEVIN_LOG_DEFAULT ? rule.on_step : on_step != 0,
                        on_epoch == LEVIN_LOG_DEFAULT ? rule.on_epoch : on_epoch != 0};
  if (when.on_step && !rule.step_possible)
    throw Error(ErrorCode::call_invalid, "log(on_step=true) cannot be used inside " + where + ", only on_step=false");
  if (!when.on_epoch && !rule.epoch_optional)
    throw Error(ErrorCode::call_invalid, "log(on_epoch=false) cannot be used inside " + where + ", only on_epoch=true");
  if (!when.on_step && !when.on_epoch)
    throw Error(ErrorCode::call_invalid, "log(on_step=false, on_epoch=false) is not useful");
  return when;
}

bool flushes_logs(int64_t every, int64_t global_step, bool stopping) {
  return every > 0 && ((global_step + 1) % every == 0 || stopping);
}

void check_metric_name(const std::string& name) {
  const std::string shown = printable(name);
  if (shown == name && name.find_first_of("\n\t") == std::string::npos) return;
  throw Error(ErrorCode::call_invalid,
              "log(" + show(nlohmann::json(shown)) +
                  "): a metric's name is UTF-8 without line breaks and other control characters");
}

Reduce reduce_from(const char* name) {
  const std::string text = lower(name ? name : "mean");
  if (text == "mean" || text == "avg") return Reduce::mean;
  if (text == "sum") return Reduce::sum;
  if (text == "min") return Reduce::min;
  if (text == "max") return Reduce::max;
  throw Error(ErrorCode::call_invalid,
              "log(reduce_fx=" + std::string(name) + ") is unknown; valid: mean, sum, min, max");
}

}  // namespace levin::core
