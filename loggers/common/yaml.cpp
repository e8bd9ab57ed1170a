#include "yaml.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "levin/util/text.hpp"

namespace levin::loggers {
namespace {

using Json = nlohmann::ordered_json;

// Quotes every text that a YAML reader could take for another type.
std::string text_scalar(const std::string& text) {
  static const std::regex plain("[A-Za-z_/][A-Za-z0-9_./-]*"),
      word("(true|false|null|yes|no|on|off|y|n)", std::regex::icase);
  if (std::regex_match(text, plain) && !std::regex_match(text, word)) return text;
  return Json(text).dump();
}

// Writes a decimal point in numbers with an exponent, which YAML 1.1 requires.
std::string number_scalar(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value > 0 ? ".inf" : "-.inf";
  std::string out = shortest(value);
  const size_t e = out.find('e');
  if (e != std::string::npos && out.find('.') == std::string::npos) out.insert(e, ".0");
  return out;
}

std::string scalar(const Json& value) {
  if (value.is_string()) return text_scalar(value.get<std::string>());
  if (value.is_number_float()) return number_scalar(value.get<double>());
  return value.dump();  // null, true, 3, [], {}
}

void append(std::string& out, const Json& value, const std::string& indent, bool continues) {
  const auto item = [&](const std::string& head, const Json& child, const std::string& deeper) {
    out += (continues ? "" : indent) + head;
    continues = false;
    if (child.empty() || child.is_primitive()) {
      out += " " + scalar(child) + "\n";
    } else if (head == "-") {
      out += " ";
      append(out, child, deeper, true);
    } else {
      out += "\n";
      append(out, child, child.is_array() ? indent : deeper, false);
    }
  };
  if (value.is_array())
    for (const Json& child : value) item("-", child, indent + "  ");
  else
    for (const auto& [key, child] : value.items()) item(text_scalar(key) + ":", child, indent + "  ");
}

}  // namespace

std::string yaml_of_json(const std::string& json) {
  const Json value = Json::parse(json.empty() ? "{}" : json);
  if (value.empty() || value.is_primitive()) return scalar(value) + "\n";
  std::string out;
  append(out, value, "", false);
  return out;
}

}  // namespace levin::loggers
