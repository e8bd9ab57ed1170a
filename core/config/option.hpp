// Checking a value against the option that it is given for.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/config/schema.hpp"

namespace levin::core {

// The value in the option's type, or throws Error{kind} "WHERE: VALUE is not ..." naming what is allowed.
// A string is read as text of the option's type, as the command line gives it: "10", "yes", "1e-3", "null", "1,2".
// Paths become absolute. null only with LEVIN_OPT_NULLABLE.
nlohmann::json check_option(const OptionSchema& option, const nlohmann::json& value, const std::string& where,
                            ErrorKind kind = ErrorKind::usage);

// What may be given, for people: "int >= 1", "one of: a, b", "float in [0, 1] or null".
std::string describe_type(const OptionSchema& option);

// Text as the value it looks like: null, a bool, an int, a float, JSON if it starts with one of [{", else itself.
nlohmann::json scalar_from_text(const std::string& text);

}  // namespace levin::core
