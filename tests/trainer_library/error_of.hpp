#pragma once
#include "levin/trainer.hpp"

// Returns the error of f(), which has to throw one.
template <class F>
levin::TrainerError error_of(const F& f) {
  try {
    f();
  } catch (const levin::TrainerError& e) {
    return e;
  }
  return {levin::ErrorKind::internal, "no error", ""};
}
