// Enums whose values have names in options, messages and saved files.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace levin::core {

// Specialise this for an enum whose values count from 0. Provide `static constexpr const char* names[]` in the order of
// the values.
template <class Enum>
struct EnumNames;

template <class Enum>
constexpr const char* name_of(Enum value) {
  return EnumNames<Enum>::names[static_cast<size_t>(value)];
}

// Returns the value with this name, or nullopt if there is none.
template <class Enum>
std::optional<Enum> value_named(std::string_view name) {
  for (size_t i = 0; i < std::size(EnumNames<Enum>::names); ++i) {
    if (name == EnumNames<Enum>::names[i]) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

template <class Enum>
std::vector<std::string> names_of() {
  return {std::begin(EnumNames<Enum>::names), std::end(EnumNames<Enum>::names)};
}

}  // namespace levin::core
