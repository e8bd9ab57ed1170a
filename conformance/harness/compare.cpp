#include "conformance/harness/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.hpp"

namespace conformance {
namespace {

std::optional<double> number_of(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<double>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

bool near(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= std::max(1e-6, 1e-5 * std::max(std::abs(a), std::abs(b)));
}

std::string shown(const json& value) {
  const std::string text = value.dump();
  return text.size() <= 160 ? text : text.substr(0, 157) + "...";
}

std::string differ(const json& expected, const json& seen, const std::string& where) {
  return (where.empty() ? "" : where + ": ") + "expected " + shown(expected) + ", seen " + shown(seen);
}

std::string list_difference(const json& expected, const json& seen, const std::string& where) {
  const size_t n = std::min(expected.size(), seen.size());
  for (size_t i = 0; i < n; ++i) {
    const std::string text = difference(expected[i], seen[i], where + "[" + std::to_string(i) + "]");
    if (!text.empty()) return text;
  }
  if (expected.size() == seen.size()) return "";
  const std::string at = where + "[" + std::to_string(n) + "]";
  const std::string sizes =
      " (" + std::to_string(expected.size()) + " expected, " + std::to_string(seen.size()) + " seen)";
  if (expected.size() > n) return at + ": expected " + shown(expected[n]) + ", seen the end" + sizes;
  return at + ": expected the end, seen " + shown(seen[n]) + sizes;
}

std::string object_difference(const json& expected, const json& seen, const std::string& where) {
  const std::string dot = where.empty() ? "" : where + ".";
  for (const auto& [key, value] : expected.items()) {
    if (!seen.contains(key)) return dot + key + ": expected " + shown(value) + ", seen nothing";
    const std::string text = difference(value, seen.at(key), dot + key);
    if (!text.empty()) return text;
  }
  for (const auto& [key, value] : seen.items())
    if (!expected.contains(key)) return dot + key + ": expected nothing, seen " + shown(value);
  return "";
}

bool names(const std::string& message, const json& text) {
  return message.find(levin::core::lower(text.get<std::string>())) != std::string::npos;
}

// Returns an error that names the first text missing in the message, or "".
std::string missing_names(const std::string& error, const json& must_name) {
  const std::string message = levin::core::lower(error);
  for (const json& text : must_name) {
    bool there = false;
    if (text.is_array())
      for (const json& one : text) there = there || names(message, one);
    else
      there = names(message, text);
    if (!there) return "the message does not name " + text.dump() + ": " + error;
  }
  return "";
}

bool is_value(const std::string& key) {
  return key != "error" && key != "must_name" && key != "may_refuse" && !levin::core::starts_with(key, "or_");
}

json values_of(const json& expected) {
  json out = json::object();
  for (const auto& [key, value] : expected.items())
    if (is_value(key)) out[key] = value;
  return out;
}

std::string what_differs(const json& expected, const Outcome& outcome) {
  const bool must_fail = expected.value("error", false);
  if (must_fail && !outcome.error) return "an error was expected, and there was none; seen " + shown(outcome.seen);
  if (outcome.error) {
    if (!must_fail && !expected.value("may_refuse", false))
      return "expected " + shown(values_of(expected)) + ", failed: " + *outcome.error;
    return missing_names(*outcome.error, expected.value("must_name", json::array()));
  }
  for (const auto& [key, value] : expected.items()) {
    if (!is_value(key)) continue;
    const json seen = outcome.seen.contains(key) ? outcome.seen.at(key) : json("(not observed)");
    const std::string text = difference(value, seen, key);
    if (text.empty()) continue;
    const auto second = expected.find("or_" + key);
    if (second == expected.end() || !difference(*second, seen, key).empty()) return text;
  }
  return "";
}

}  // namespace

const char* name_of(Verdict verdict) {
  constexpr const char* names[] = {"pass", "fail", "deviates", "not applicable"};
  return names[static_cast<int>(verdict)];
}

std::string difference(const json& expected, const json& seen, const std::string& where) {
  const auto a = number_of(expected), b = number_of(seen);
  if (a && b) return near(*a, *b) ? "" : differ(expected, seen, where);
  if (expected.is_array() && seen.is_array()) return list_difference(expected, seen, where);
  if (expected.is_object() && seen.is_object()) return object_difference(expected, seen, where);
  return expected == seen ? "" : differ(expected, seen, where);
}

Result judge(const Case& c, const Outcome& outcome) {
  if (!outcome.not_applicable.empty() && !c.deviates) return {Verdict::not_applicable, outcome.not_applicable};
  const std::string text = what_differs(outcome.expected.value_or(c.expected), outcome);
  if (!outcome.decided.empty() && !text.empty()) return {Verdict::deviates, outcome.decided + "; " + text};
  if (c.deviates) return {Verdict::deviates, c.why + (text.empty() ? "" : "; " + text)};
  return {text.empty() ? Verdict::pass : Verdict::fail, text};
}

}  // namespace conformance
