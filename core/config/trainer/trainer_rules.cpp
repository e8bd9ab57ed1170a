#include "core/config/trainer/trainer_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/trainer_enums.hpp"
#include "levin/util/duration.hpp"

namespace levin::core::trainer_rules {
namespace {

using nlohmann::json;
const json bad(json::value_t::discarded);

struct PrecisionAlias {
  const char* name;
  PrecisionType type;
};
constexpr PrecisionAlias precision_aliases[] = {{"32", PrecisionType::true_32},
                                                {"64", PrecisionType::true_64},
                                                {"16", PrecisionType::mixed_16},
                                                {"bf16", PrecisionType::mixed_bf16}};

json parsed(const json& v) { return v.is_string() ? scalar_from_text(v.get<std::string>()) : v; }

// Returns true if the text is a single folder name other than "." and "..".
bool is_folder(const std::string& text) {
  return !text.empty() && text != "." && text != ".." &&
         text.find_first_of(std::string("/\n\r\t\0", 5)) == std::string::npos;
}

json device_list(const json& items) {
  json out = json::array();
  for (const auto& item : items) {
    const json i = item.is_string() ? scalar_from_text(trim(item.get<std::string>())) : item;
    if (!i.is_number_integer() || i < 0) return bad;
    out.push_back(i);
  }
  return out.empty() ? bad : out;
}

}  // namespace

// Returns a count of batches or a fraction: 1 is one batch, 1.0 is all batches, and 10.0 is 10 batches.
json count_or_fraction(const json& given) {
  const json v = parsed(given);
  if (v.is_number_integer()) return v >= 0 ? v : bad;
  if (!v.is_number_float()) return bad;
  const double x = v.get<double>();
  if (0 <= x && x <= 1) return v;
  if (x < 1 || std::trunc(x) != x || std::isinf(x)) return bad;
  return x < 1e15 ? json(static_cast<int64_t>(x)) : v;  // a count too large to be reached stays a float
}

json check_interval(const json& given) {
  const std::string written = given.is_string() ? given.get<std::string>() : given.dump();
  if (const auto seconds = parse_duration(written, DurationDigits::any)) {
    const bool kept_by_text = *seconds == 0 || (*seconds >= 1 && *seconds < 1e14);
    return kept_by_text ? json(format_duration(static_cast<int64_t>(*seconds))) : bad;
  }
  const json v = count_or_fraction(given);
  return v.is_number() ? v : bad;
}

json accumulation(const json& given) {
  const json v = parsed(given);
  if (v.is_number_integer()) return v >= 1 ? v : bad;
  if (!v.is_object() || v.empty()) return bad;
  for (const auto& [epoch, batches] : v.items()) {
    const json e = scalar_from_text(epoch);
    if (!e.is_number_integer() || e < 0 || !batches.is_number_integer() || batches < 1) return bad;
  }
  return v;
}

json norm(const json& given) {
  const json v = parsed(given);
  if (v.is_number()) return v > 0 ? v : bad;
  if (!v.is_string()) return bad;
  const std::string text = lower(v.get<std::string>());
  return text == "inf" || text == "infinity" ? json("inf") : bad;
}

json bool_or_count(const json& given) {
  const json v = parsed(given);
  if (v.is_boolean()) return v;
  if (!v.is_number_integer() || v < 0) return bad;
  return v;
}

json bool_or_warn(const json& given) {
  const json v = parsed(given);
  if (v.is_boolean()) return v;
  return v.is_string() && lower(v.get<std::string>()) == "warn" ? json("warn") : bad;
}

std::vector<std::string> precision_names() {
  std::vector<std::string> names = names_of<PrecisionType>();
  for (const auto& alias : precision_aliases) names.emplace_back(alias.name);
  return names;
}

json precision(const json& given) {
  if (!given.is_string() && !given.is_number_integer()) return bad;
  const std::string name = given.is_string() ? given.get<std::string>() : given.dump();
  for (const auto& alias : precision_aliases) {
    if (name == alias.name) return name_of(alias.type);
  }
  return value_named<PrecisionType>(name) ? json(name) : bad;
}

json seed(const json& given) {
  const json v = parsed(given);
  if (v.is_boolean()) return v;
  if (!v.is_number() || (given.is_string() && !v.is_number_integer()) || !(v >= 0) ||
      !(v <= std::numeric_limits<uint32_t>::max()))
    return bad;
  return static_cast<int64_t>(v.get<double>());
}

json version(const json& given) {
  const json v = parsed(given);
  if (v.is_number_integer()) return v >= 0 ? v : bad;
  const bool name = v.is_string() && is_folder(v.get<std::string>());
  return name ? v : bad;
}

json line(const json& given) {
  const std::string text = given.is_string() ? given.get<std::string>() : given.dump();
  const auto controls = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; };
  const bool fits = given.is_primitive() && !trim(text).empty() && std::none_of(text.begin(), text.end(), controls);
  return fits ? json(text) : bad;
}

json tags(const json& given) {
  json out = json::array();
  if (given.is_string() && trim(given.get<std::string>()).empty()) return out;
  json list = parsed(given);
  if (!list.is_array()) {
    if (!given.is_string()) return bad;
    list = split(given.get<std::string>(), ',');
  }
  for (const json& tag : list) {
    const std::string text = tag.is_string() ? trim(tag.get<std::string>()) : "";
    if (text.empty()) return bad;
    out.push_back(text);
  }
  return out;
}

json folder_name(const json& given) {
  const json name = given.is_string() ? given : json(given.dump());
  for (const std::string& part : split(name.get<std::string>(), '/'))
    if (!is_folder(part)) return bad;
  return given.is_primitive() ? name : bad;
}

json devices(const json& given) {
  if (given.is_array()) return device_list(given);
  if (given.is_string() && lower(given.get<std::string>()) == "auto") return "auto";
  if (given.is_string() && given.get<std::string>().find(',') != std::string::npos) {
    auto parts = split(given.get<std::string>(), ',');
    if (trim(parts.back()).empty()) parts.pop_back();  // "2," is a list of device index 2
    return device_list(parts);
  }
  const json v = parsed(given);
  if (v.is_array()) return device_list(v);
  return v.is_number_integer() && (v > 0 || v == -1) ? v : bad;
}

}  // namespace levin::core::trainer_rules
