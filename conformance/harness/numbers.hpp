// Numbers of the case files: NaN and infinities are texts.
#pragma once
#include <limits>
#include <nlohmann/json.hpp>

namespace conformance {

inline double number_from(const nlohmann::json& value) {
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<double>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  return value.get<double>();
}

inline nlohmann::json number_to(double value) {
  if (value != value) return "NaN";
  if (value > 1e308 || value < -1e308) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

}  // namespace conformance
