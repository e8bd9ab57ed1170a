// Lengths of time, by the parser of each option.
#include "conformance/harness/plugin_calls.hpp"
#include "conformance/registry.hpp"
#include "core/base/duration.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "levin/duration.hpp"

namespace conformance {
namespace {

Outcome run_parsing(const Case& c) {
  const json& value = c.inputs.at("value");
  return ask([&]() -> json {
    if (value.is_null()) return {{"seconds", nullptr}};
    if (c.inputs.at("parser") == "max_time")
      return {{"seconds", levin::parse_duration(value.is_string() ? value.get<std::string>() : value.dump())}};
    const levin::core::TrainerOption& option = *levin::core::find_trainer_option("val_check_interval");
    const json checked = levin::core::check_trainer_option(option, value, "val_check_interval");
    const auto seconds = levin::core::duration_from_json(checked);
    return {{"seconds", seconds ? json(*seconds) : json()}};
  });
}

const SuiteEntry parsing("parsing", &run_parsing);

}  // namespace
}  // namespace conformance
