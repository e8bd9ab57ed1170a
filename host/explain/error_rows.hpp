// What the numbers of errors mean, for `host explain` and docs/errors.md.
#pragma once
#include <vector>

#include "core/base/error_codes.hpp"

namespace levin::core {

struct ErrorRow {
  ErrorCode code;
  const char* title;    // what has happened, as a noun phrase or a short sentence
  const char* cause;    // why it happens
  const char* cure;     // what to do
  const char* example;  // the message of such an error
};

// All rows, by number.
const std::vector<ErrorRow>& error_rows();
const ErrorRow* find_error_row(int number);  // nullptr = there is no such number

// The rows by exit code, each in a file of its own.
std::vector<ErrorRow> run_error_rows();
std::vector<ErrorRow> usage_error_rows();
std::vector<ErrorRow> plugin_error_rows();
std::vector<ErrorRow> file_error_rows();     // data, checkpoints, numbers that are not finite
std::vector<ErrorRow> process_error_rows();  // ranks, the host itself, signals

}  // namespace levin::core
