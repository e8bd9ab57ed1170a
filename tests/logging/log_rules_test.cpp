#include "core/logging/metrics/log_rules.hpp"

#include <set>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/config/schema.hpp"

using namespace levin::core;

namespace {

const std::set<LogOrigin> by_step = {LogOrigin::training_step,
                                     LogOrigin::optimizer_step,
                                     LogOrigin::optimizer_zero_grad,
                                     LogOrigin::backward,
                                     LogOrigin::configure_gradient_clipping,
                                     origin_of_hook(LEVIN_HOOK_BEFORE_BACKWARD),
                                     origin_of_hook(LEVIN_HOOK_AFTER_BACKWARD),
                                     origin_of_hook(LEVIN_HOOK_BEFORE_OPTIMIZER_STEP),
                                     origin_of_hook(LEVIN_HOOK_BEFORE_ZERO_GRAD),
                                     origin_of_hook(LEVIN_HOOK_TRAIN_BATCH_START),
                                     origin_of_hook(LEVIN_HOOK_TRAIN_BATCH_END)};
const std::set<LogOrigin> by_epoch = {LogOrigin::validation_step,
                                      LogOrigin::test_step,
                                      origin_of_hook(LEVIN_HOOK_VALIDATION_BATCH_START),
                                      origin_of_hook(LEVIN_HOOK_VALIDATION_BATCH_END),
                                      origin_of_hook(LEVIN_HOOK_TEST_BATCH_START),
                                      origin_of_hook(LEVIN_HOOK_TEST_BATCH_END)};
const std::set<LogOrigin> epoch_only = {
    origin_of_hook(LEVIN_HOOK_TRAIN_START),          origin_of_hook(LEVIN_HOOK_VALIDATION_START),
    origin_of_hook(LEVIN_HOOK_TEST_START),           origin_of_hook(LEVIN_HOOK_TRAIN_EPOCH_START),
    origin_of_hook(LEVIN_HOOK_TRAIN_EPOCH_END),      origin_of_hook(LEVIN_HOOK_VALIDATION_EPOCH_START),
    origin_of_hook(LEVIN_HOOK_VALIDATION_EPOCH_END), origin_of_hook(LEVIN_HOOK_TEST_EPOCH_START),
    origin_of_hook(LEVIN_HOOK_TEST_EPOCH_END)};

// "10" = on_step without on_epoch; "!" = rejected
std::string resolved(LogOrigin origin, int8_t on_step, int8_t on_epoch) {
  try {
    const LogWhen when = resolve_when(origin, on_step, on_epoch);
    return std::string(when.on_step ? "1" : "0") + (when.on_epoch ? "1" : "0");
  } catch (const Error& e) {
    CHECK(e.kind() == ErrorKind::usage);
    return "!";
  }
}

// Returns the results for (on_step, on_epoch) over default, true, false.
std::string table(LogOrigin origin) {
  std::string out;
  for (const int8_t on_step : {-1, 1, 0})
    for (const int8_t on_epoch : {-1, 1, 0}) out += resolved(origin, on_step, on_epoch) + " ";
  return out;
}

}  // namespace

TEST_CASE("on_step and on_epoch mean what they do in Lightning, in every place") {
  for (uint32_t number = 0; number <= static_cast<uint32_t>(LogOrigin::outside); ++number) {
    const auto origin = static_cast<LogOrigin>(number);
    if (!is_hook(origin) && origin < LogOrigin::training_step) continue;
    if (is_hook(origin) && !hook_name(number)) continue;
    INFO(origin_name(origin));
    if (by_step.count(origin))
      CHECK(table(origin) == "10 11 10 10 11 10 ! 01 ! ");
    else if (by_epoch.count(origin))
      CHECK(table(origin) == "01 01 ! 11 11 10 01 01 ! ");
    else if (epoch_only.count(origin))
      CHECK(table(origin) == "01 01 ! ! ! ! 01 01 ! ");
    else
      CHECK(table(origin) == "! ! ! ! ! ! ! ! ! ");
  }
}

TEST_CASE("a refusal says where and what is allowed") {
  CHECK_THROWS_WITH(resolve_when(origin_of_hook(LEVIN_HOOK_FIT_START), -1, -1),
                    ContainsSubstring("inside on_fit_start"));
  CHECK_THROWS_WITH(resolve_when(LogOrigin::predict_step, -1, -1), ContainsSubstring("inside predict_step"));
  CHECK_THROWS_WITH(resolve_when(origin_of_hook(LEVIN_HOOK_TRAIN_START), 1, -1),
                    ContainsSubstring("on_train_start") && ContainsSubstring("only on_step=false"));
  CHECK_THROWS_WITH(resolve_when(LogOrigin::training_step, 0, 0), ContainsSubstring("not useful"));
}

TEST_CASE("reductions by name") {
  CHECK(reduce_from(nullptr) == Reduce::mean);
  CHECK(reduce_from("avg") == Reduce::mean);
  CHECK(reduce_from("sum") == Reduce::sum);
  CHECK(reduce_from("min") == Reduce::min);
  CHECK(reduce_from("max") == Reduce::max);
  CHECK_THROWS_WITH(reduce_from("median"), ContainsSubstring("median") && ContainsSubstring("mean, sum, min, max"));
}

TEST_CASE("loggers are flushed after every n-th optimizer step, and when the fit is to stop") {
  std::vector<int64_t> flushed;
  for (int64_t step = 0; step < 12; ++step)
    if (flushes_logs(3, step, false)) flushed.push_back(step);
  CHECK(flushed == std::vector<int64_t>{2, 5, 8, 11});
  CHECK(flushes_logs(100, 4, true));
  CHECK_FALSE(flushes_logs(0, 4, true));
}

TEST_CASE("a metric's name has no line breaks and other bytes that files of lines cannot hold") {
  for (const char* name : {"loss", "val/acc top 1",
                           "gr\xc3\xb6\xc3\x9f"
                           "e"})
    CHECK_NOTHROW(check_metric_name(name));
  for (const char* name : {"a\nb", "a\tb", "a\x1b[31m",
                           "gr\xf6\xdf"
                           "e"})
    CHECK_THROWS_AS(check_metric_name(name), Error);
  CHECK_THROWS_WITH(check_metric_name("a\nb"), ContainsSubstring("log('a b'): a metric's name is UTF-8 without line"));
}
