// Options of a component in a test, checked against its schema as the real host does it.
#pragma once
#include <cstdlib>
#include <deque>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "levin/error.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing {

struct Null {};
using Option = std::variant<Null, bool, int64_t, double, std::string, std::vector<int64_t>>;

// Example: {{"monitor", "val_loss"}, {"patience", 3}, {"stopping_threshold", testing::Null{}}}
class Options {
 public:
  struct Item {
    std::string name;
    Option value;
    Item(std::string n, const char* v) : name(std::move(n)), value(std::string(v)) {}
    Item(std::string n, std::string v) : name(std::move(n)), value(std::move(v)) {}
    Item(std::string n, bool v) : name(std::move(n)), value(v) {}
    Item(std::string n, int v) : name(std::move(n)), value(int64_t{v}) {}
    Item(std::string n, int64_t v) : name(std::move(n)), value(v) {}
    Item(std::string n, double v) : name(std::move(n)), value(v) {}
    Item(std::string n, Null) : name(std::move(n)) {}
    Item(std::string n, std::vector<int64_t> v) : name(std::move(n)), value(std::move(v)) {}
  };
  Options(std::initializer_list<Item> items = {}) {
    for (const Item& item : items) set(item);
  }
  void set(const Item& item) { values[item.name] = item.value; }
  std::map<std::string, Option> values;
};

namespace detail {

inline bool is_name_of(const levin_option& option, const std::string& name) {
  for (const char* const* former = option.aliases; former && *former; ++former)
    if (name == *former) return true;
  return name == option.name;
}

// Parses the JSON text of a default: null, a boolean, a number, a string or a list of integers. The default of a
// string, path or choice may also be unquoted.
inline Option from_json(const std::string& text, uint32_t type) {
  const bool is_text = type == LEVIN_T_STRING || type == LEVIN_T_PATH || type == LEVIN_T_CHOICE;
  if (is_text && text != "null" && text.substr(0, 1) != "\"") return text;
  if (type == LEVIN_T_JSON) return text == "null" ? Option(Null{}) : Option(text);
  if (text == "null") return Null{};
  if (text == "true" || text == "false") return text == "true";
  if (text[0] == '[') {
    std::vector<int64_t> items;
    for (size_t at = 1; at < text.size(); at = text.find_first_of(",]", at) + 1)
      if (text.find_first_of("0123456789-", at) == text.find_first_not_of(" ", at))
        items.push_back(std::strtoll(text.c_str() + at, nullptr, 10));
    return items;
  }
  if (text[0] != '"') {
    if (type == LEVIN_T_INT) return static_cast<int64_t>(std::strtoll(text.c_str(), nullptr, 10));
    return std::strtod(text.c_str(), nullptr);
  }
  std::string out;
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\' && i + 2 < text.size()) {
      ++i;
      out += text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i];
    } else {
      out += text[i];
    }
  }
  return out;
}

inline std::string to_json(const Option& option, uint32_t type) {
  if (std::holds_alternative<bool>(option)) return std::get<bool>(option) ? "true" : "false";
  if (std::holds_alternative<int64_t>(option)) return std::to_string(std::get<int64_t>(option));
  if (std::holds_alternative<double>(option)) return std::to_string(std::get<double>(option));
  if (std::holds_alternative<std::vector<int64_t>>(option)) {
    std::string out = "[";
    for (int64_t i : std::get<std::vector<int64_t>>(option)) out += (out.size() > 1 ? "," : "") + std::to_string(i);
    return out + "]";
  }
  if (!std::holds_alternative<std::string>(option)) return "null";
  if (type == LEVIN_T_JSON) return std::get<std::string>(option);
  std::string out = "\"";
  for (const char c : std::get<std::string>(option)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out + "\"";
}

}  // namespace detail

// The values in the order of the schema; they live as long as this object. The constructor throws Error for values that
// the schema does not allow.
class CheckedOptions {
 public:
  CheckedOptions(const levin_component& component, const Options& given) {
    Options present;  // keyed by the current option names
    for (const auto& [name, value] : given.values) {
      bool known = false;
      for (uint32_t i = 0; i < component.n_options; ++i) {
        if (!detail::is_name_of(component.options[i], name)) continue;
        known = true;
        if (!present.values.emplace(component.options[i].name, value).second)
          throw Error(LEVIN_E_INVALID, std::string("option '") + component.options[i].name + "' is given twice");
      }
      if (!known) throw Error(LEVIN_E_NOT_FOUND, std::string(component.id) + " has no option '" + name + "'");
    }
    json_ = "{";
    for (uint32_t i = 0; i < component.n_options; ++i) add(component.options[i], present);
    json_ += "}";
    args_ = {sizeof args_, static_cast<uint32_t>(values_.size()), values_.data(), json_.c_str()};
  }
  CheckedOptions(const CheckedOptions&) = delete;
  const levin_args* args() const { return &args_; }

 private:
  void add(const levin_option& schema, const Options& given) {
    const auto found = given.values.find(schema.name);
    if (found == given.values.end() && !schema.deflt) fail(schema, "is required");
    Option& option =
        kept_.emplace_back(found != given.values.end() ? found->second : detail::from_json(schema.deflt, schema.type));
    const bool numeric = schema.type == LEVIN_T_FLOAT || schema.type == LEVIN_T_INT;
    if (schema.type == LEVIN_T_FLOAT && std::holds_alternative<int64_t>(option))
      option = static_cast<double>(std::get<int64_t>(option));
    const levin_value value = value_of(schema, option);
    const double size = value.type == LEVIN_T_INT ? static_cast<double>(value.v.i) : value.v.f;
    if (value.type != LEVIN_T_NONE && numeric && schema.min <= schema.max &&
        !(schema.min <= size && size <= schema.max))
      fail(schema, "is " + detail::to_json(option, schema.type) + ", which is out of its range");
    values_.push_back(value);
    json_ +=
        std::string(json_.size() > 1 ? "," : "") + "\"" + schema.name + "\":" + detail::to_json(option, schema.type);
  }

  levin_value value_of(const levin_option& schema, const Option& option) const {
    levin_value value{};
    value.type = schema.type;
    const uint32_t type = schema.type;
    const bool text = type == LEVIN_T_STRING || type == LEVIN_T_PATH || type == LEVIN_T_CHOICE || type == LEVIN_T_JSON;
    if (std::holds_alternative<Null>(option) && (schema.flags & LEVIN_OPT_NULLABLE)) {
      value.type = LEVIN_T_NONE;
    } else if (type == LEVIN_T_BOOL && std::holds_alternative<bool>(option)) {
      value.v.i = std::get<bool>(option);
    } else if (type == LEVIN_T_INT && std::holds_alternative<int64_t>(option)) {
      value.v.i = std::get<int64_t>(option);
    } else if (type == LEVIN_T_FLOAT && std::holds_alternative<double>(option)) {
      value.v.f = std::get<double>(option);
    } else if (text && std::holds_alternative<std::string>(option)) {
      value.v.s = std::get<std::string>(option).c_str();
      if (type == LEVIN_T_CHOICE) check_choice(schema, value.v.s);
    } else if (type == LEVIN_T_INTS && std::holds_alternative<std::vector<int64_t>>(option)) {
      value.v.p = std::get<std::vector<int64_t>>(option).data();
      value.len = static_cast<uint32_t>(std::get<std::vector<int64_t>>(option).size());
    } else {
      fail(schema, "is " + detail::to_json(option, type) + ", which is not of its type");
    }
    return value;
  }

  static void check_choice(const levin_option& schema, const std::string& value) {
    for (const char* const* choice = schema.choices; *choice; ++choice)
      if (value == *choice) return;
    fail(schema, "is '" + value + "', which is none of its choices");
  }
  [[noreturn]] static void fail(const levin_option& schema, const std::string& what) {
    throw Error(LEVIN_E_INVALID, std::string("option '") + schema.name + "' " + what);
  }

  std::deque<Option> kept_;
  std::vector<levin_value> values_;
  std::string json_;
  levin_args args_{};
};

}  // namespace levin::testing
#pragma GCC visibility pop
