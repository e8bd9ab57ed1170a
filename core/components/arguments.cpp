#include "core/components/arguments.hpp"

#include <utility>

namespace levin::core {
namespace {

uint32_t type_of(const nlohmann::json& value) {
  if (value.is_boolean()) return LEVIN_T_BOOL;
  if (value.is_number_integer()) return LEVIN_T_INT;
  if (value.is_number()) return LEVIN_T_FLOAT;
  return value.is_string() ? LEVIN_T_STRING : LEVIN_T_JSON;
}

}  // namespace

HyperParameters::Dotted::Dotted(const RunConfig& config) {
  const nlohmann::json all = to_json_without_secrets(config);
  add("model.", all.at("model").at("options"));
  if (config.data) add("data.", all.at("data").at("options"));
  add("data.", all.at("loader"));
  for (const auto& c : all.at("callbacks")) add("callback." + c.at("name").get<std::string>() + ".", c.at("options"));
  for (const auto& c : all.at("loggers")) add("logger." + c.at("name").get<std::string>() + ".", c.at("options"));
  add("trainer.", all.at("trainer"));
}

void HyperParameters::Dotted::add(const std::string& group, const nlohmann::json& options) {
  for (const auto& [name, value] : options.items()) {
    OptionSchema& option = schema.emplace_back();
    option.name = group + name;
    option.type = type_of(value);
    option.flags = LEVIN_OPT_NULLABLE;
    values[option.name] = value;
  }
}

HyperParameters::HyperParameters(const RunConfig& config) : HyperParameters(Dotted(config)) {}

HyperParameters::HyperParameters(Dotted dotted)
    : dotted_(std::move(dotted)), arguments_(dotted_.schema, dotted_.values) {
  for (const OptionSchema& option : dotted_.schema) names_.push_back(option.name.c_str());
}

}  // namespace levin::core
