// Durations, read by the parser of each option.
#include "conformance/harness/plugin_calls.hpp"
#include "conformance/registry.hpp"
#include "core/config/trainer/run_plan.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "levin/options.hpp"

namespace conformance {
namespace {

// Reads the value as a callback reads an option.
double duration_of(const json& value) {
  static constexpr levin_option options[] = {levin::json("duration", "null", "a length of time")};
  const std::string text = value.dump();
  levin_value given{LEVIN_T_JSON, 0, {}};
  given.v.s = text.c_str();
  const levin_args raw{sizeof raw, 1, &given, nullptr};
  return levin::Args(&raw, options, 1).duration("duration");
}

std::optional<double> interval_of(const json& value) {
  const levin::core::TrainerOption& option = *levin::core::find_trainer_option("val_check_interval");
  const json checked = levin::core::check_trainer_option(option, value, "val_check_interval");
  return levin::core::make_run_plan({{"val_check_interval", checked}}).validation.val_check_interval.seconds;
}

Outcome run_parsing(const Case& c) {
  const json& value = c.inputs.at("value");
  return ask([&]() -> json {
    if (value.is_null()) return {{"seconds", nullptr}};
    if (c.inputs.at("parser") == "max_time") return {{"seconds", duration_of(value)}};
    const std::optional<double> seconds = interval_of(value);
    return {{"seconds", seconds ? json(*seconds) : json()}};
  });
}

const SuiteEntry parsing("parsing", &run_parsing);

}  // namespace
}  // namespace conformance
