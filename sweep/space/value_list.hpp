// Listed values of an option: "0.1,0.01", or a JSON list if a value has commas.
#pragma once
#include <string>
#include <vector>

namespace levin::core::sweep {

// `where` names the list in errors: "--param model.lr". Returns the values as they are written on a command line.
// Throws Error{usage} if there are no values, or if a value is empty or repeated.
std::vector<std::string> read_value_list(const std::string& where, const std::string& text);

}  // namespace levin::core::sweep
