// Errors, which end a run with one line for the user and an exit code, and warnings, which do not.
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

#include "core/base/error_codes.hpp"

namespace levin::core {

// The values are the process's exit codes (docs/errors.md).
enum class ErrorKind : int {
  run = 1,         // a plugin or the loop failed
  usage = 2,       // a bad option, configuration file or command
  plugin = 3,      // a plugin cannot be used
  data = 4,        // data is missing or broken
  checkpoint = 5,  // a checkpoint is missing, damaged or does not fit
  non_finite = 6,  // a loss, a gradient or a weight is NaN or infinite
  processes = 7,   // another process of the run is lost, or the processes do not agree
  internal = 70,   // a bug in the host
};

// The exit code of a run that was ended by a signal other than Ctrl-C and can be resumed without loss: EX_TEMPFAIL of
// sysexits.h.
inline constexpr int exit_saved = 75;

constexpr ErrorKind kind_of(ErrorCode code) { return static_cast<ErrorKind>(static_cast<int>(code) / 100); }

// The message is one line: what happened, where, and how to fix it. It lists the valid names, if any. The code is the
// row of error_codes.hpp that names the situation; it gives the exit code.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }
  ErrorKind kind() const { return kind_of(code_); }
  int exit_code() const { return static_cast<int>(kind()); }

 private:
  ErrorCode code_;
};

// Shows a warning to the user: one line, like the message of an Error.
using Warn = std::function<void(const std::string& message)>;

// An error whose message already contains the position in the training loops.
class PlacedError : public Error {
 public:
  using Error::Error;
};

}  // namespace levin::core
