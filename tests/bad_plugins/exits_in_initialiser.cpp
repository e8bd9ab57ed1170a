#include <cstdlib>

#include "minimal.h"

struct Leaver {
  Leaver() { std::exit(0); }
};
static Leaver leaver;
