/* As faults.c, in C++. */
#include <cstdlib>
#include <stdexcept>

#if defined FAULT_throws_in_entry
#define THROWN std::runtime_error("entry is upset")
#elif defined FAULT_throws_int_in_entry
#define THROWN 42
#elif defined FAULT_throws_in_initialiser
#define INITIALISE throw std::runtime_error("initialiser is upset")
#elif defined FAULT_throws_int_in_initialiser
#define INITIALISE throw 42
#elif defined FAULT_exits_in_initialiser
#define INITIALISE std::exit(0)
#endif

#ifdef THROWN
#define ENTRY     \
  {               \
    (void)host;   \
    (void)plugin; \
    throw THROWN; \
  }
#endif
#include "minimal.h"

#ifdef INITIALISE
struct Initialiser {
  Initialiser() { INITIALISE; }
};
static Initialiser initialiser;
#endif
