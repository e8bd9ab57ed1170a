// Checks the options of optimizers and learning-rate schedules against their schema.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

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
