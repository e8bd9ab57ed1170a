// Enums whose values have names in options, messages and saved files.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace levin::core {

// Specialise this for an enum whose values count from 0, with a std::array of their names in the order of the values.
template <class Enum>
inline constexpr std::array<const char*, 0> enum_names{};

template <class Enum>
constexpr const char* name_of(Enum value) {
  return enum_names<Enum>[static_cast<size_t>(value)];
}

// Returns the value with this name, or nullopt if there is none.
template <class Enum>
std::optional<Enum> value_named(std::string_view name) {
  for (size_t i = 0; i < enum_names<Enum>.size(); ++i)
    if (name == enum_names<Enum>[i]) return static_cast<Enum>(i);
  return std::nullopt;
}

template <class Enum>
std::vector<std::string> names_of() {
  return {enum_names<Enum>.begin(), enum_names<Enum>.end()};
}

}  // namespace levin::core
