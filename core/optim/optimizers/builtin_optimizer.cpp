#include "core/optim/optimizers/builtin_optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

double to_number(const OptionSchema& schema, const json& value) {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (schema.type == LEVIN_T_BOOL) return value.get<bool>() ? 1 : 0;
  if (schema.type != LEVIN_T_CHOICE) return value.get<double>();
  const auto found = std::find(schema.choices.begin(), schema.choices.end(), value.get<std::string>());
  return static_cast<double>(found - schema.choices.begin());
}

json from_number(const OptionSchema& schema, double number) {
  if (std::isnan(number)) return nullptr;
  if (schema.type == LEVIN_T_INT) return static_cast<int64_t>(number);
  if (schema.type == LEVIN_T_BOOL) return number != 0;
  if (schema.type == LEVIN_T_CHOICE) return schema.choices.at(static_cast<size_t>(number));
  return number;
}

void check_array(const ArrayOption& option, const json& value, const std::string& owner) {
  if (option.takes(value)) return;
  throw Error(ErrorCode::option_value_invalid,
              owner + ": " + option.name + " must be " + option.valid + ", not " + value.dump());
}

}  // namespace

BuiltinOptimizer::BuiltinOptimizer(const OptimSpec& spec, const json& options)
    : Optimizer(spec.id, spec.class_name),
      spec_(spec),
      defaults_(resolve_options(spec.options, options, "optimizer '" + spec.id + "'")) {
  for (const auto& schema : spec.options) {
    if (const ArrayOption* array = array_option(schema.name)) {
      names_.insert(names_.end(), array->numbers.begin(), array->numbers.end());
    } else {
      names_.push_back(schema.name);
    }
  }
}

std::vector<double> BuiltinOptimizer::numbers(const json& options) const {
  std::vector<double> values;
  for (const auto& schema : spec_.options) {
    const json& value = options.at(schema.name);
    if (array_option(schema.name) != nullptr) {
      const auto numbers = value.get<std::vector<double>>();
      values.insert(values.end(), numbers.begin(), numbers.end());
    } else {
      values.push_back(to_number(schema, value));
    }
  }
  return values;
}

void BuiltinOptimizer::on_group_added() {
  const auto& group = groups().back();
  const std::string owner = "optimizer '" + id() + "'" + (group.name.empty() ? "" : ", group '" + group.name + "'");
  json options = defaults_;
  if (!group.options.is_null()) options.update(group.options);
  options = resolve_options(spec_.options, options, owner);
  for (const auto& [name, value] : options.items())
    if (const ArrayOption* array = array_option(name)) check_array(*array, value, owner);
  auto values = numbers(options);
  check_options(values.data());
  values_.push_back(std::move(values));
}

bool BuiltinOptimizer::has(const std::string& option) const {
  return std::find(names_.begin(), names_.end(), option) != names_.end();
}

size_t BuiltinOptimizer::position(const std::string& option) const {
  const auto found = std::find(names_.begin(), names_.end(), option);
  if (found != names_.end()) return static_cast<size_t>(found - names_.begin());
  throw Error(ErrorCode::option_unknown,
              "optimizer '" + id() + "' has no option '" + option + "'" + did_you_mean(option, names_));
}

double BuiltinOptimizer::get(size_t group, const std::string& option) const {
  return values_.at(group)[position(option)];
}

void BuiltinOptimizer::set(size_t group, const std::string& option, double value) {
  values_.at(group)[position(option)] = value;
}

json BuiltinOptimizer::group_values(size_t group) const {
  json options = json::object();
  const double* value = values_[group].data();
  for (const auto& schema : spec_.options) {
    if (const ArrayOption* array = array_option(schema.name)) {
      const double* end = value + array->numbers.size();
      options[schema.name] = std::vector<double>(value, end);
      value = end;
    } else {
      options[schema.name] = from_number(schema, *value++);
    }
  }
  return {{"options", std::move(options)}};
}

void BuiltinOptimizer::load_group_values(size_t group, const json& values) {
  values_[group] = numbers(values.at("options"));
}

}  // namespace levin::core
