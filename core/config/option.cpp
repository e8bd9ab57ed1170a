#include "core/config/option.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>

#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

std::optional<int64_t> int_from_text(const std::string& text) {
  const size_t sign = !text.empty() && text[0] == '+' ? 1 : 0;  // std::from_chars reads no plus sign
  int64_t v = 0;
  const auto [end, error] = std::from_chars(text.data() + sign, text.data() + text.size(), v);
  const bool whole = error == std::errc() && end == text.data() + text.size() && text.substr(0, 2) != "+-";
  return whole ? std::optional(v) : std::nullopt;
}

std::optional<double> float_from_text(const std::string& text) {
  // strtod also reads hexadecimal numbers, inf and nan, which options do not accept.
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double v = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !std::isfinite(v)) return std::nullopt;
  return v;
}

bool is_null_text(const std::string& text) { return is_one_of(lower(text), {"null", "none"}); }

std::optional<json> as_bool(const json& v) {
  if (v.is_boolean()) return v;
  const std::string word = v.is_string() ? lower(v.get<std::string>()) : v.is_number_integer() ? v.dump() : "";
  if (is_one_of(word, {"true", "1", "yes", "on", "y"})) return json(true);
  if (is_one_of(word, {"false", "0", "no", "off", "n"})) return json(false);
  return std::nullopt;
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
  if (const auto i = v.is_string() ? int_from_text(v.get<std::string>()) : std::nullopt) return json(*i);
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

// Returns true for http://example.org/a.csv, s3://bucket/a and the like.
bool is_address(const std::string& text) {
  const size_t scheme = text.find("://");
  return scheme != 0 && scheme != std::string::npos &&
         std::all_of(text.begin(), text.begin() + static_cast<ptrdiff_t>(scheme),
                     [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '-' || c == '.'; });
}

std::optional<json> as_path(const json& v) {
  if (!v.is_string() || is_address(v.get<std::string>())) return std::nullopt;
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
std::optional<json> as_json(const json& value) {
  if (!value.is_string()) return value;
  const std::string text = value;
  const json v = scalar_from_text(text);
  const bool broken = v.is_string() && (starts_with(text, "{") || starts_with(text, "["));
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
  using Convert = std::optional<json> (*)(const json&);
  static const std::map<uint32_t, Convert> by_type = {
      {LEVIN_T_BOOL, as_bool}, {LEVIN_T_INT, as_int},   {LEVIN_T_FLOAT, as_float}, {LEVIN_T_STRING, as_text},
      {LEVIN_T_PATH, as_path}, {LEVIN_T_INTS, as_ints}, {LEVIN_T_JSON, as_json}};
  if (option.type == LEVIN_T_CHOICE) return as_choice(option, v);
  const auto convert = by_type.find(option.type);
  return convert == by_type.end() ? std::nullopt : convert->second(v);
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
  constexpr double inf = 1e15;  // larger bounds exist only to keep numbers exact, so they are not shown to users
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

bool is_url(const std::string& text) {
  const std::string scheme = lower(text.substr(0, 8));
  return starts_with(scheme, "http://") || scheme == "https://";
}

json check_option(const OptionSchema& option, const json& value, const std::string& where, ErrorCode code) {
  const bool nullable = (option.flags & LEVIN_OPT_NULLABLE) != 0;
  const bool texts = option.type == LEVIN_T_STRING || option.type == LEVIN_T_PATH;
  if (value.is_null() && nullable) return nullptr;
  if (value.is_string() && nullable && is_null_text(value.get<std::string>())) return nullptr;
  const bool empty = value.is_string() && value.get<std::string>().empty() && !texts;
  if (option.takes_url && value.is_string() && is_url(value.get<std::string>())) return value;
  const auto checked = empty || value.is_null() ? std::nullopt : converted(option, value);
  if (checked && in_range(option, *checked)) return *checked;
  const std::string given = option.flags & LEVIN_OPT_SECRET ? "the value" : show(value);
  const bool named = option.type == LEVIN_T_CHOICE && value.is_string();
  if (option.type == LEVIN_T_PATH && value.is_string())
    throw Error(code, where + ": " + given + " is an address; expected the path of a file or folder" +
                          (option.takes_url ? ", or an http address" : ": download it first"));
  const std::string hint = named ? did_you_mean(value.get<std::string>(), option.choices, 0) : "";
  throw Error(code, where + ": " + given + " is not valid; expected " + describe_type(option) + hint);
}

}  // namespace levin::core
