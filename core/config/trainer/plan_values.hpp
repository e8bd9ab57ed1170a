// Converts the checked value of an option to the type of its member in RunPlan. null becomes 0, false or empty.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/config/trainer/run_plan.hpp"
#include "core/config/trainer/trainer_enums.hpp"

namespace levin::core {

void assign(bool& to, const nlohmann::json& value);
void assign(int64_t& to, const nlohmann::json& value);  // true becomes 1
void assign(double& to, const nlohmann::json& value);   // also "inf"
void assign(std::string& to, const nlohmann::json& value);
void assign(std::vector<std::string>& to, const nlohmann::json& value);
void assign(Limit& to, const nlohmann::json& value);
void assign(ValCheckInterval& to, const nlohmann::json& value);
void assign(std::map<int64_t, int64_t>& to, const nlohmann::json& value);  // a number, or {epoch: number}
void assign(DeviceChoice& to, const nlohmann::json& value);

template <class Enum, std::enable_if_t<std::is_enum_v<Enum>, int> = 0>
void assign(Enum& to, const nlohmann::json& value) {
  to = value_named<Enum>(value.get<std::string>()).value();
}

template <class T>
void assign(std::optional<T>& to, const nlohmann::json& value) {
  to.reset();
  if (value.is_null()) return;
  T given{};  // not emplace(): GCC 14 then warns of an uninitialized text
  assign(given, value);
  to = std::move(given);
}

// given: "auto" or null, a count, -1 (all), 0 (none), a list of indices, or one of these as text, such as "1, 3" or
// "2,". Throws Error{usage} for any other value.
DeviceChoice device_choice(const nlohmann::json& given);

}  // namespace levin::core
