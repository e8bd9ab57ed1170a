#include "core/config/hyper_parameters.hpp"

#include "core/base/json.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// Pointers to texts are set after all texts have been added, because adding moves them.
levin_value value_of(const json& given, std::string& text) {
  levin_value out{};
  if (given.is_null()) return out;
  if (given.is_boolean()) {
    out.type = LEVIN_T_BOOL;
    out.v.i = given.get<bool>();
  } else if (given.is_number_integer()) {
    out.type = LEVIN_T_INT;
    out.v.i = given.get<int64_t>();
  } else if (given.is_number()) {
    out.type = LEVIN_T_FLOAT;
    out.v.f = given.get<double>();
  } else {
    out.type = given.is_string() ? LEVIN_T_STRING : LEVIN_T_JSON;
    text = given.is_string() ? given.get<std::string>() : given.dump();
    out.len = static_cast<uint32_t>(text.size());
  }
  return out;
}

}  // namespace

HyperParameters::HyperParameters(const RunConfig& config) {
  const json all = to_json_without_secrets(config);
  add("model.", all.at("model").at("options"));
  if (config.data) add("data.", all.at("data").at("options"));
  add("data.", all.at("loader"));
  for (const json& c : all.at("callbacks")) add("callback." + c.at("name").get<std::string>() + ".", c.at("options"));
  for (const json& c : all.at("loggers")) add("logger." + c.at("name").get<std::string>() + ".", c.at("options"));
  add("trainer.", all.at("trainer"));
  json_ = flat_.dump();
  for (size_t i = 0; i < names_.size(); ++i) {
    name_pointers_.push_back(names_[i].c_str());
    if (values_[i].type == LEVIN_T_STRING || values_[i].type == LEVIN_T_JSON) values_[i].v.s = texts_[i].c_str();
  }
}

void HyperParameters::add(const std::string& group, const nlohmann::json& options) {
  for (const auto& [name, value] : options.items()) {
    flat_[group + name] = value;
    names_.push_back(group + name);
    texts_.emplace_back();
    values_.push_back(value_of(value, texts_.back()));
  }
}

levin_args HyperParameters::args() const {
  levin_args args{};
  args.size = sizeof args;
  args.n = static_cast<uint32_t>(values_.size());
  args.values = values_.data();
  args.json = json_.c_str();
  return args;
}

}  // namespace levin::core
