// Options of a component, declared with these functions in a `static constexpr levin_option options[]`, and their
// checked values. Defaults are JSON text: "0.1", "true", "null". The default of a text, path or choice may also be the
// plain text, "adam", unless it is "null" or begins with a quote. min and max are inclusive; min > max = no bounds. All
// strings must live as long as the process.
#pragma once
#include <cstring>
#include <string>

#include "levin/error.hpp"
#include "levin/util/duration.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

constexpr levin_option integer(const char* name, const char* deflt, const char* help, double min = 1, double max = 0) {
  return {name, LEVIN_T_INT, 0, deflt, help, min, max, nullptr, nullptr, nullptr};
}
constexpr levin_option number(const char* name, const char* deflt, const char* help, double min = 1, double max = 0) {
  return {name, LEVIN_T_FLOAT, 0, deflt, help, min, max, nullptr, nullptr, nullptr};
}
constexpr levin_option flag(const char* name, const char* deflt, const char* help) {
  return {name, LEVIN_T_BOOL, 0, deflt, help, 1, 0, nullptr, nullptr, nullptr};
}
constexpr levin_option text(const char* name, const char* deflt, const char* help) {
  return {name, LEVIN_T_STRING, 0, deflt, help, 1, 0, nullptr, nullptr, nullptr};
}
constexpr levin_option path(const char* name, const char* deflt, const char* help) {
  return {name, LEVIN_T_PATH, 0, deflt, help, 1, 0, nullptr, nullptr, nullptr};
}
constexpr levin_option json(const char* name, const char* deflt, const char* help) {
  return {name, LEVIN_T_JSON, 0, deflt, help, 1, 0, nullptr, nullptr, nullptr};
}
// choices is a NULL-terminated array.
constexpr levin_option choice(const char* name, const char* deflt, const char* help, const char* const* choices) {
  return {name, LEVIN_T_CHOICE, 0, deflt, help, 1, 0, choices, nullptr, nullptr};
}
// Adds flags to an option: with(number(...), LEVIN_OPT_TUNABLE | LEVIN_OPT_NULLABLE).
constexpr levin_option with(levin_option option, uint32_t flags) {
  option.flags |= flags;
  return option;
}
// Makes an option mandatory: it has no default.
constexpr levin_option required(levin_option option) {
  option.flags |= LEVIN_OPT_REQUIRED;
  option.deflt = nullptr;
  return option;
}
// Adds former names of an option, which are still accepted. former is a NULL-terminated array:
//   static constexpr const char* was[] = {"width", nullptr};
//   static constexpr levin_option options[] = {levin::renamed(levin::integer("hidden", "64", "units"), was)};
constexpr levin_option renamed(levin_option option, const char* const* former) {
  option.aliases = former;
  return option;
}
// Marks an option as deprecated: setting it prints a warning with this advice: deprecated(flag(...), "use mode").
constexpr levin_option deprecated(levin_option option, const char* instead) {
  option.deprecated = instead;
  return option;
}

namespace detail {
// The accessor of each type of option, in the order of LEVIN_T_*.
struct OptionType {
  const char *name, *accessor;
};
inline constexpr OptionType option_types[] = {
    {"nothing", "is_null"}, {"bool", "flag"},    {"int", "integer"}, {"float", "number"},
    {"text", "text"},       {"path", "text"},    {"choice", "text"}, {"json", "text"},
    {"tensor", "raw"},      {"integers", "raw"}, {"tensors", "raw"},
};
constexpr uint32_t option_bit(uint32_t type) { return type < 32 ? 1u << type : 0; }
constexpr uint32_t text_types =
    option_bit(LEVIN_T_STRING) | option_bit(LEVIN_T_PATH) | option_bit(LEVIN_T_CHOICE) | option_bit(LEVIN_T_JSON);

[[noreturn]] inline void refuse_accessor(const levin_option& option, const char* accessor) {
  constexpr uint32_t known = sizeof option_types / sizeof *option_types;
  const OptionType type = option.type < known ? option_types[option.type] : OptionType{"an unknown type", "raw"};
  throw Error(LEVIN_E_INVALID, std::string("option '") + option.name + "' is declared as " + type.name +
                                   ": read it by Args::" + type.accessor + ", not by Args::" + accessor);
}
}  // namespace detail

// The values of the options, checked by the host against the schema. Borrowed for the call of create. The accessors
// throw Error for an undeclared name and for an option of another type. null reads as 0, false or "".
class Args {
 public:
  Args(const levin_args* raw, const levin_option* options, uint32_t n) : raw_(raw), options_(options), count_(n) {}

  int64_t integer(const char* name) const { return at(name, detail::option_bit(LEVIN_T_INT), "integer").v.i; }
  double number(const char* name) const {
    constexpr uint32_t types = detail::option_bit(LEVIN_T_INT) | detail::option_bit(LEVIN_T_FLOAT);
    const levin_value& value = at(name, types, "number");
    return value.type == LEVIN_T_INT ? static_cast<double>(value.v.i) : value.v.f;
  }
  bool flag(const char* name) const { return at(name, detail::option_bit(LEVIN_T_BOOL), "flag").v.i != 0; }
  std::string text(const char* name) const {
    const levin_value& value = at(name, detail::text_types, "text");
    return value.type == LEVIN_T_NONE || !value.v.s ? std::string() : std::string(value.v.s);
  }
  // Returns the seconds of a json or text option that is a duration (levin/util/duration.hpp).
  double duration(const char* name) const {
    at(name, detail::text_types, "duration");
    const std::string written = text(name);
    if (const auto seconds = parse_duration(written)) return *seconds;
    const bool quoted = written.size() > 1 && written.front() == '"' && written.back() == '"';
    throw Error(LEVIN_E_INVALID, "'" + (quoted ? written.substr(1, written.size() - 2) : written) +
                                     "' is no length of time: write DD:HH:MM:SS, such as 00:12:00:00 for twelve "
                                     "hours, or {\"hours\": 12} with weeks, days, hours, minutes or seconds");
  }
  // Returns true if the value is null, for options with LEVIN_OPT_NULLABLE.
  bool is_null(const char* name) const { return raw_->values[index_of(name)].type == LEVIN_T_NONE; }
  const char* json() const { return raw_->json; }  // all values as one JSON object
  const levin_args* raw() const { return raw_; }

 private:
  uint32_t index_of(const char* name) const {
    std::string known;
    for (uint32_t i = 0; i < count_ && i < raw_->n; ++i) {
      if (std::strcmp(options_[i].name, name) == 0) return i;
      known += std::string(known.empty() ? "" : ", ") + options_[i].name;
    }
    throw Error(LEVIN_E_NOT_FOUND, std::string("the component declares no option '") + name +
                                       (known.empty() ? "', and none at all" : "'; it declares: " + known));
  }
  // Returns the value of an option of one of these types.
  const levin_value& at(const char* name, uint32_t types, const char* accessor) const {
    const uint32_t i = index_of(name);
    const levin_value& value = raw_->values[i];
    const bool taken = value.type == LEVIN_T_NONE || (detail::option_bit(value.type) & types);
    if (!taken || !(detail::option_bit(options_[i].type) & types)) detail::refuse_accessor(options_[i], accessor);
    return value;
  }
  const levin_args* raw_;
  const levin_option* options_;
  uint32_t count_;
};

}  // namespace levin
#pragma GCC visibility pop
