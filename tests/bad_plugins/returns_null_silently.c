#define ENTRY     \
  {               \
    (void)host;   \
    (void)plugin; \
    return NULL;  \
  }
#include "minimal.h"
