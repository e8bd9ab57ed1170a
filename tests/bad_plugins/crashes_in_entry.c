#include <signal.h>
#define ENTRY       \
  {                 \
    (void)host;     \
    raise(SIGSEGV); \
    return &plugin; \
  }
#include "minimal.h"
