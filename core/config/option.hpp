// Checks values against the schemas of their options, and makes such schemas.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/config/schema.hpp"

namespace levin::core {

// Returns the value converted to the option's type. Throws Error{kind} "WHERE: VALUE is not ...", which names the
// allowed values. A string is parsed as on the command line: "10", "yes", "1e-3", "null", "1,2". Paths become absolute;
// addresses stay as they are where the option takes them. null is accepted only with LEVIN_OPT_NULLABLE.
nlohmann::json check_option(const OptionSchema& option, const nlohmann::json& value, const std::string& where,
                            ErrorCode code = ErrorCode::option_value_invalid);

// Returns true for http:// and https:// addresses.
bool is_url(const std::string& text);

// Describes the allowed values for users: "int >= 1", "one of: a, b", "float in [0, 1] or null".
std::string describe_type(const OptionSchema& option);

// Parses text as the value that it looks like: null, a bool, an int, a float, or JSON if it starts with one of [{".
// Any other text becomes a JSON string.
nlohmann::json scalar_from_text(const std::string& text);

// Returns every option of the schema with its given value or its default. Messages name the `owner`: "optimizer 'sgd'".
// Throws Error{usage} for an unknown name, an invalid value, or a required option that is missing.
nlohmann::json resolve_options(const std::vector<OptionSchema>& schema, const nlohmann::json& given,
                               const std::string& owner);

// Returns `count` numbers. `value` is an array of that length, or one number, which is repeated.
// Throws Error{usage} for anything else.
std::vector<double> one_or_each(const nlohmann::json& value, std::size_t count, const std::string& where);

OptionSchema float_option(std::string name, nlohmann::json deflt, double min, std::string help);
OptionSchema share_option(std::string name, double deflt, std::string help);  // a float from 0 to 1
OptionSchema int_option(std::string name, nlohmann::json deflt, double min, std::string help);
OptionSchema bool_option(std::string name, bool deflt, std::string help);
OptionSchema json_option(std::string name, nlohmann::json deflt, std::string help);
OptionSchema ints_option(std::string name, nlohmann::json deflt, std::string help);
// The first choice is the default.
OptionSchema choice_option(std::string name, std::vector<std::string> choices, std::string help);
OptionSchema nullable(OptionSchema option);  // the same option, but null is accepted and is the default
OptionSchema required(OptionSchema option);

}  // namespace levin::core
