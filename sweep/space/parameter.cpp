#include "sweep/space/parameter.hpp"

#include <cmath>
#include <cstdlib>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "sweep/space/value_list.hpp"

namespace levin::core::sweep {
namespace {

struct RangeForm {
  const char* name;
  ParameterKind kind;
  bool log;
};
constexpr RangeForm range_forms[] = {{"uniform", ParameterKind::real, false},
                                     {"log", ParameterKind::real, true},
                                     {"int", ParameterKind::integer, false},
                                     {"logint", ParameterKind::integer, true}};
constexpr double largest_whole = 9007199254740992.0;  // 2^53

class RangeReader {
 public:
  RangeReader(Parameter parameter, std::string where) : out_(std::move(parameter)), where_(std::move(where)) {}

  Parameter read(const std::string& name, const std::string& inside) {
    const RangeForm& form = form_named(name);
    const std::vector<std::string> words = split(inside, ',');
    const bool may_have_step = !form.log;
    if (words.size() != 2 && !(words.size() == 3 && may_have_step))
      refuse(name + "() takes the lowest and the highest value" +
             (may_have_step ? ", and a step if you want one" : ""));
    out_.kind = form.kind;
    out_.log = form.log;
    out_.low = number(words[0]);
    out_.high = number(words[1]);
    if (words.size() == 3) set_step(number(words[2]));
    if (form.kind == ParameterKind::integer && out_.step == 0 && !form.log) out_.step = 1;
    check(name);
    return out_;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::search_space_invalid, where_ + ": " + what);
  }

  const RangeForm& form_named(const std::string& name) const {
    std::vector<std::string> names;
    for (const RangeForm& form : range_forms) {
      if (name == form.name) return form;
      names.emplace_back(form.name);
    }
    throw Error(ErrorCode::search_space_invalid, where_ + ": " + unknown_name("there is no range", name, names));
  }

  double number(const std::string& written) const {
    const std::string word = trim(written);
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (word.empty() || *end != '\0' || !std::isfinite(value)) refuse("'" + word + "' is not a number");
    return value;
  }

  void set_step(double step) {
    if (step <= 0) refuse("the step has to be above 0");
    out_.step = step;
  }

  void check(const std::string& name) const {
    if (!(out_.low < out_.high)) refuse("the lowest value has to be below the highest one in '" + out_.text + "'");
    if (out_.log && out_.low <= 0) refuse(name + "() needs limits above 0");
    if (out_.kind != ParameterKind::integer) return;
    for (const double value : {out_.low, out_.high, out_.step})
      if (value != std::floor(value) || std::abs(value) > largest_whole) refuse(name + "() takes whole numbers");
    if (out_.log && out_.low < 1) refuse(name + "() needs limits from 1");
  }

  Parameter out_;
  const std::string where_;
};

// Returns "name" and "inside" of "name(inside)".
std::optional<std::pair<std::string, std::string>> call_in(const std::string& text) {
  const size_t open = text.find('(');
  if (open == std::string::npos || open == 0 || text.back() != ')') return std::nullopt;
  const std::string name = trim(text.substr(0, open));
  if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != std::string::npos) return std::nullopt;
  return std::pair(name, text.substr(open + 1, text.size() - open - 2));
}

size_t index_of(double value) { return static_cast<size_t>(value); }

}  // namespace

std::string Parameter::written(double value) const {
  if (kind == ParameterKind::choice) return choices.at(index_of(value));
  return json(value).dump();
}

nlohmann::json Parameter::json(double value) const {
  if (kind == ParameterKind::integer) return static_cast<int64_t>(std::llround(value));
  if (kind == ParameterKind::real) return value;
  const std::string& text_of_choice = choices.at(index_of(value));
  const nlohmann::json read = nlohmann::json::parse(text_of_choice, nullptr, false);
  return read.is_primitive() && !read.is_discarded() ? read : nlohmann::json(text_of_choice);
}

double Parameter::nearest_value(double value) const {
  const double highest = kind == ParameterKind::choice ? static_cast<double>(choices.size()) - 1 : high;
  const double interval = kind == ParameterKind::choice || (kind == ParameterKind::integer && log) ? 1 : step;
  if (interval > 0) value = low + std::round((value - low) / interval) * interval;
  const double last = interval > 0 ? low + std::floor((highest - low) / interval + 1e-9) * interval : highest;
  return std::min(std::max(value, low), last);
}

std::optional<std::vector<double>> Parameter::all_values() const {
  std::vector<double> out;
  if (kind == ParameterKind::choice)
    for (size_t i = 0; i < choices.size(); ++i) out.push_back(static_cast<double>(i));
  else if (step > 0 && (high - low) / step < 1e6)
    for (size_t i = 0; low + static_cast<double>(i) * step <= high + 1e-9 * step; ++i)
      out.push_back(nearest_value(low + static_cast<double>(i) * step));
  else
    return std::nullopt;
  return out;
}

Parameter read_parameter(const std::string& option, const std::string& text, const std::string& where) {
  Parameter out;
  out.option = option;
  out.text = trim(text);
  if (const auto call = call_in(out.text)) return RangeReader(std::move(out), where).read(call->first, call->second);
  out.choices = read_value_list(where, text);
  return out;
}

}  // namespace levin::core::sweep
