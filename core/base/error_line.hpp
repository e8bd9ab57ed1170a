// The line that ends a failed command: "host: error[E0204]: there is no option --max_epoch". The name is that of
// program_name.hpp.
#pragma once
#include <exception>
#include <string>

#include "core/base/error.hpp"

namespace levin::core {

// Returns the line without its newline. Control characters become spaces.
std::string error_line(ErrorCode code, const std::string& message);

// Prints the line of an exception to stderr and returns the exit code. Exceptions that are not an Error and that no
// limit of the system explains are internal errors of `program`.
int report_error(const std::exception& error, const std::string& program);

// What an error line says. The code is "" if the line has none.
struct ErrorText {
  std::string code, message;
  explicit operator bool() const { return !message.empty(); }
};

// Reads an error line of the program, whatever its name. Another line gives an empty ErrorText.
ErrorText read_error_line(const std::string& line);

// Returns the last error line of a program's output, or an empty ErrorText.
ErrorText last_error_line(const std::string& output);

}  // namespace levin::core
