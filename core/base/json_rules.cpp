#include "core/base/json.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

class RuleCheck {
 public:
  RuleCheck(const JsonRule& rule, const std::string& where, ErrorCode code) : rule_(rule), where_(where), code_(code) {}

  // Checks every value that matches the rest of the rule's key; `at` is the key so far.
  void run(const json& value, std::string_view rest, const std::string& at) const {
    if (rest.empty()) return test(value, at);
    const size_t slash = rest.find('/');
    const std::string_view name = rest.substr(0, slash);
    const std::string_view more = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    const std::string before = at.empty() ? "" : at + ".";
    if (name == "*" && value.is_array())
      for (size_t i = 0; i < value.size(); ++i) run(value[i], more, at + "[" + std::to_string(i) + "]");
    if (!value.is_object()) return;
    for (const auto& item : value.items())
      if (name == "*" || name == item.key()) run(item.value(), more, before + item.key());
  }

 private:
  void test(const json& value, const std::string& at) const {
    if (rule_.holds(value)) return;
    throw Error(code_, where_ + ": '" + at + "' is " + show(value) + ", and has to be " + rule_.wanted);
  }
  const JsonRule& rule_;
  const std::string& where_;
  ErrorCode code_;
};

}  // namespace

void check_json(const json& value, const JsonRule& rule, const std::string& where, ErrorCode code) {
  RuleCheck(rule, where, code).run(value, rule.key, "");
}

std::string brief_json_error(const std::string& text) {
  const size_t end = text.find("] ");
  return text.compare(0, 16, "[json.exception.") == 0 && end != std::string::npos ? text.substr(end + 2) : text;
}

namespace json_rule {

bool object(const json& v) { return v.is_object(); }
bool list(const json& v) { return v.is_array(); }
bool text(const json& v) { return v.is_string(); }
bool text_or_null(const json& v) { return v.is_null() || v.is_string(); }
bool flag(const json& v) { return v.is_boolean(); }
bool whole(const json& v) { return v.is_number_integer(); }
bool count(const json& v) { return v.is_number_integer() && v >= 0 && v <= (int64_t{1} << 53); }
bool number(const json& v) { return v.is_number() || v == "nan" || v == "inf" || v == "-inf"; }

}  // namespace json_rule
}  // namespace levin::core
