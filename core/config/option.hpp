// Checks a value against the schema of its option.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/config/schema.hpp"

namespace levin::core {

// Returns the value converted to the option's type. Throws Error{kind} "WHERE: VALUE is not ...", which names the
// allowed values. A string is parsed as on the command line: "10", "yes", "1e-3", "null", "1,2". Paths become absolute.
// null is accepted only with LEVIN_OPT_NULLABLE.
nlohmann::json check_option(const OptionSchema& option, const nlohmann::json& value, const std::string& where,
                            ErrorKind kind = ErrorKind::usage);

// Describes the allowed values for users: "int >= 1", "one of: a, b", "float in [0, 1] or null".
std::string describe_type(const OptionSchema& option);

// Parses text as the value that it looks like: null, a bool, an int, a float, or JSON if it starts with one of [{".
// Any other text becomes a JSON string.
nlohmann::json scalar_from_text(const std::string& text);

}  // namespace levin::core
