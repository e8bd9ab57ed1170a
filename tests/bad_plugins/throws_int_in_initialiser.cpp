#include "minimal.h"

struct Thrower {
  Thrower() { throw 42; }
};
static Thrower thrower;
