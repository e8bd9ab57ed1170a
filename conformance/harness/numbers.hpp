// Numbers in the case files, where NaN and infinities are written as text.
#pragma once
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace conformance {

// Also reads inf, -inf and nan, which Levin writes to files. Throws std::invalid_argument for other text.
inline double number_from(const nlohmann::json& value) {
  if (!value.is_string()) return value.get<double>();
  const auto& text = value.get_ref<const std::string&>();
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') throw std::invalid_argument("'" + text + "' is no number");
  return number;
}

inline nlohmann::json number_to(double value) {
  if (value != value) return "NaN";
  if (value > 1e308 || value < -1e308) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

// Converts a list of numbers written by Levin to the form used in the case files.
inline nlohmann::json numbers_to(const nlohmann::json& list) {
  nlohmann::json out = nlohmann::json::array();
  for (const nlohmann::json& value : list) out.push_back(number_to(number_from(value)));
  return out;
}

}  // namespace conformance
