#include <stdexcept>

#include "minimal.h"

struct Thrower {
  Thrower() { throw std::runtime_error("initialiser is upset"); }
};
static Thrower thrower;
