// Components that a program brings itself. Their `file` in a RunConfig is "program:" and the path of the program.
#pragma once
#include <string>

namespace levin::core {

inline constexpr const char* program_prefix = "program:";

inline bool is_of_program(const std::string& file) { return file.rfind(program_prefix, 0) == 0; }
inline std::string program_of(const std::string& file) { return file.substr(std::string(program_prefix).size()); }

}  // namespace levin::core
