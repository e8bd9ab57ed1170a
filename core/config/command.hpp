// The commands of a run.
#pragma once
#include "core/base/enum_names.hpp"

namespace levin::core {

enum class Command {
  run,  // fit, then test the best checkpoint
  fit,
  validate,
  test,
  tune,  // a fit that ends after on_fit_start, in which tuners run
  predict,
};
template <>
struct EnumNames<Command> {
  static constexpr const char* names[] = {"run", "fit", "validate", "test", "tune", "predict"};
};

// Returns true if the command begins with a fit.
constexpr bool fits(Command command) {
  return command == Command::run || command == Command::fit || command == Command::tune;
}

}  // namespace levin::core
