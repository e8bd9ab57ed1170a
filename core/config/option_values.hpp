// Options of optimizers and schedules, checked against their schema.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

// Every option of the schema with the given value or its default. `owner` stands in messages: "optimizer 'sgd'".
// Throws Error{usage} for an unknown name, a wrong value or a missing one.
nlohmann::json resolve_options(const std::vector<OptionSchema>& schema, const nlohmann::json& given,
                               const std::string& owner);

// A number, or an array of `count` numbers; as an array of `count`.
std::vector<double> one_or_each(const nlohmann::json& value, std::size_t count, const std::string& where);

OptionSchema float_option(std::string name, nlohmann::json deflt, double min, std::string help);
OptionSchema share_option(std::string name, double deflt, std::string help);  // a float from 0 to 1
OptionSchema int_option(std::string name, nlohmann::json deflt, double min, std::string help);
OptionSchema bool_option(std::string name, bool deflt, std::string help);
OptionSchema json_option(std::string name, nlohmann::json deflt, std::string help);
OptionSchema ints_option(std::string name, nlohmann::json deflt, std::string help);
OptionSchema choice_option(std::string name, std::vector<std::string> choices, std::string help);  // the first: default
OptionSchema nullable(OptionSchema option);  // null is a value, and the default
OptionSchema required(OptionSchema option);

}  // namespace levin::core
