#include "core/config/option.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

std::optional<int64_t> int_from_text(const std::string& text) {
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const long long v = std::strtoll(text.c_str(), &end, 10);
  if (errno != 0 || *end != '\0' || std::isspace(static_cast<unsigned char>(text[0]))) return std::nullopt;
  return v;
}

std::optional<double> float_from_text(const std::string& text) {
  // strtod also reads hexadecimal numbers, inf and nan, which options do not accept.
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double v = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !std::isfinite(v)) return std::nullopt;
  return v;
}

std::optional<bool> bool_from_text(const std::string& text) {
  const std::string word = lower(text);
  for (const char* yes : {"true", "1", "yes", "on", "y"}) {
    if (word == yes) return true;
  }
  for (const char* no : {"false", "0", "no", "off", "n"}) {
    if (word == no) return false;
  }
  return std::nullopt;
}

bool is_null_text(const std::string& text) {
  const std::string word = lower(text);
  return word == "null" || word == "none";
}

std::optional<json> as_bool(const json& v) {
  if (v.is_boolean()) return v;
  if (v.is_number_integer() && (v == 0 || v == 1)) return json(v == 1);
  if (!v.is_string()) return std::nullopt;
  const auto b = bool_from_text(v.get<std::string>());
  return b ? std::optional<json>(*b) : std::nullopt;
}

std::optional<json> as_float(const json& v) {
  if (v.is_number()) return std::isfinite(v.get<double>()) ? std::optional<json>(v.get<double>()) : std::nullopt;
  if (!v.is_string()) return std::nullopt;
  const auto f = float_from_text(v.get<std::string>());
  return f ? std::optional<json>(*f) : std::nullopt;
}

std::optional<json> as_int(const json& v) {
  if (v.is_number_unsigned() && v.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
  if (v.is_number_integer()) return v;
  if (v.is_string()) {
    if (const auto i = int_from_text(v.get<std::string>())) return json(*i);
  }
  const auto f = as_float(v);  // 1e6 and 3.0 count as integers
  if (!f || std::abs(f->get<double>()) > 9007199254740992.0 || std::trunc(f->get<double>()) != f->get<double>()) {
    return std::nullopt;
  }
  return json(static_cast<int64_t>(f->get<double>()));
}

std::optional<json> as_text(const json& v) {
  if (v.is_string()) return v;
  // A number or bool is accepted as text: it comes from a shell, or from a file without quotes.
  return v.is_primitive() && !v.is_null() ? std::optional<json>(v.dump()) : std::nullopt;
}

std::optional<json> as_path(const json& v) {
  if (!v.is_string()) return std::nullopt;
  const auto text = v.get<std::string>();
  return text.empty() ? v : json(absolute_path(text).string());
}

std::optional<json> as_choice(const OptionSchema& option, const json& v) {
  const auto text = as_text(v);
  if (!text) return std::nullopt;
  const auto exact = std::find(option.choices.begin(), option.choices.end(), text->get<std::string>());
  if (exact != option.choices.end()) return *text;
  for (const auto& choice : option.choices) {
    if (lower(choice) == lower(text->get<std::string>())) return json(choice);
  }
  return std::nullopt;
}

// Returns nullopt if text that begins with { or [ is not valid JSON.
std::optional<json> as_json(const std::string& text) {
  const json v = scalar_from_text(text);
  const bool broken = v.is_string() && !text.empty() && (text[0] == '{' || text[0] == '[');
  return broken ? std::nullopt : std::optional<json>(v);
}

std::optional<json> as_ints(const json& v) {
  json out = json::array();
  json items = v;
  if (v.is_string()) {
    const auto text = v.get<std::string>();
    items = starts_with(text, "[") ? json::parse(text, nullptr, false) : json(split(text, ','));
  }
  if (items.is_number_integer()) items = json::array({items});
  if (!items.is_array()) return std::nullopt;
  for (const auto& item : items) {
    const auto i = as_int(item.is_string() ? json(trim(item.get<std::string>())) : item);
    if (!i) return std::nullopt;
    out.push_back(*i);
  }
  return out;
}

std::optional<json> converted(const OptionSchema& option, const json& v) {
  switch (option.type) {
    case LEVIN_T_BOOL:
      return as_bool(v);
    case LEVIN_T_INT:
      return as_int(v);
    case LEVIN_T_FLOAT:
      return as_float(v);
    case LEVIN_T_STRING:
      return as_text(v);
    case LEVIN_T_PATH:
      return as_path(v);
    case LEVIN_T_CHOICE:
      return as_choice(option, v);
    case LEVIN_T_INTS:
      return as_ints(v);
    case LEVIN_T_JSON:
      return v.is_string() ? as_json(v.get<std::string>()) : v;
    default:
      return std::nullopt;
  }
}

bool in_range(const OptionSchema& option, const json& v) {
  if (option.min > option.max || !v.is_number()) return true;
  const double x = v.get<double>();
  return option.min <= x && x <= option.max;
}

std::string number(double x) {
  if (std::trunc(x) == x && std::abs(x) < 1e15) return std::to_string(static_cast<int64_t>(x));
  return json(x).dump();
}

std::string range(const OptionSchema& option) {
  const double inf = 1e15;  // larger bounds exist only to keep numbers exact, so they are not shown to users
  if (option.min > option.max) return "";
  if (option.max >= inf) return option.min <= -inf ? "" : " >= " + number(option.min);
  if (option.min <= -inf) return " <= " + number(option.max);
  return " in [" + number(option.min) + ", " + number(option.max) + "]";
}

}  // namespace

json scalar_from_text(const std::string& text) {
  if (is_null_text(text)) return nullptr;
  if (lower(text) == "true") return true;
  if (lower(text) == "false") return false;
  if (const auto i = int_from_text(text)) return *i;
  if (const auto f = float_from_text(text)) return *f;
  if (!text.empty() && std::string("[{\"").find(text[0]) != std::string::npos) {
    json v = json::parse(text, nullptr, false);
    if (!v.is_discarded()) return v;
  }
  return text;
}

std::string describe_type(const OptionSchema& option) {
  std::string text = option.type == LEVIN_T_CHOICE ? "one of: " + join(option.choices, ", ") : type_name(option.type);
  if (option.type == LEVIN_T_INTS) text = "a list of int";
  text += range(option);
  if (option.flags & LEVIN_OPT_NULLABLE) text += " or null";
  return text;
}

json check_option(const OptionSchema& option, const json& value, const std::string& where, ErrorKind kind) {
  const bool nullable = (option.flags & LEVIN_OPT_NULLABLE) != 0;
  const bool texts = option.type == LEVIN_T_STRING || option.type == LEVIN_T_PATH;
  if (value.is_null() && nullable) return nullptr;
  if (value.is_string() && nullable && is_null_text(value.get<std::string>())) return nullptr;
  const bool empty = value.is_string() && value.get<std::string>().empty() && !texts;
  const auto checked = empty || value.is_null() ? std::nullopt : converted(option, value);
  if (checked && in_range(option, *checked)) return *checked;
  const std::string given = option.flags & LEVIN_OPT_SECRET ? "the value" : show(value);
  const bool named = option.type == LEVIN_T_CHOICE && value.is_string();
  const std::string hint = named ? did_you_mean(value.get<std::string>(), option.choices, 0) : "";
  throw Error(kind, where + ": " + given + " is not valid; expected " + describe_type(option) + hint);
}

}  // namespace levin::core
