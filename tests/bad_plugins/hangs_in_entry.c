#include <unistd.h>
#define ENTRY         \
  {                   \
    (void)host;       \
    for (;;) pause(); \
    return &plugin;   \
  }
#include "minimal.h"
