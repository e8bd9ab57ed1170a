// An option that a sweep varies, and the values that it may have.
//   64,128,256          listed values; a JSON list if a value has commas
//   uniform(0,1)        a number between the limits; uniform(0,1,0.25): in steps of 0.25
//   log(1e-4,1e-1)      a number, evenly distributed on a logarithmic scale
//   int(1,8)            a whole number; int(16,256,16): in steps of 16
//   logint(16,1024)     a whole number on a logarithmic scale
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace levin::core::sweep {

enum class ParameterKind { choice, real, integer };

struct Parameter {
  std::string option;  // without dashes, as the user named it: "model.lr"
  std::string text;    // how the values were written
  ParameterKind kind = ParameterKind::choice;
  std::vector<std::string> choices;
  double low = 0, high = 0;
  double step = 0;  // 0 = none
  bool log = false;

  // Returns the value as it is written on a command line. A value of a choice is its index.
  std::string written(double value) const;
  // Returns the value as a number if it is one, else as a text.
  nlohmann::json json(double value) const;
  // Returns the nearest possible value.
  double nearest_value(double value) const;
  // Returns all values in their order; nullopt for a range without steps.
  std::optional<std::vector<double>> all_values() const;
};

// The values of a trial, one for each parameter in their order.
using Assignment = std::vector<double>;

// Throws Error{usage} if the text has none of the forms above. `where` names the parameter in errors.
Parameter read_parameter(const std::string& option, const std::string& text, const std::string& where);

}  // namespace levin::core::sweep
