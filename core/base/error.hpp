// An error that ends a run: one line for the user and the exit code that goes with it.
#pragma once
#include <stdexcept>
#include <string>

namespace levin::core {

// The values are the process's exit codes (docs/errors.md).
enum class ErrorKind : int {
  run = 1,         // a plugin or the loop failed
  usage = 2,       // a bad option, configuration file or command
  plugin = 3,      // a plugin cannot be used
  data = 4,        // data is missing or broken
  checkpoint = 5,  // a checkpoint is missing, damaged or does not fit
  non_finite = 6,  // a loss, a gradient or a weight is NaN or infinite
  processes = 7,   // another process of the run is gone, or the processes do not agree
  internal = 70,   // a defect of the host
};

// The exit code of a run that a signal other than Ctrl-C has ended and that loses nothing when it goes on: EX_TEMPFAIL
// of sysexits.h.
inline constexpr int exit_saved = 75;

// The message is one line that says what happened, where, and what to do; it lists the valid names if there are any.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }
  int exit_code() const { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
};

// An error whose message already says where the loops were.
class PlacedError : public Error {
 public:
  using Error::Error;
};

}  // namespace levin::core
