#define ENTRY     \
  {               \
    (void)host;   \
    (void)plugin; \
    throw 42;     \
  }
#include "minimal.h"
