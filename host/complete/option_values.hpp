// Candidates for the value of an option, from its schema.
#pragma once
#include <string>

#include "core/config/schema.hpp"
#include "host/complete/completion.hpp"

namespace levin::core {

// Adds its choices, or true and false, or sets the kind of its paths.
void add_values_of(const OptionSchema& schema, Completion& out);

std::string first_line(const std::string& text);

}  // namespace levin::core
