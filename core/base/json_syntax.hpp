// Errors of JSON's syntax in plain words.
#pragma once
#include <string>

namespace levin::core {

// Translates nlohmann's message, which begins with "syntax error while parsing". Returns other messages unchanged.
std::string plain_syntax_error(const std::string& message);

}  // namespace levin::core
