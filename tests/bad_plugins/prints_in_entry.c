/* What a plugin prints while it is described must not spoil its description. */
#include <stdio.h>
#define ENTRY                           \
  {                                     \
    (void)host;                         \
    puts("{\"problem\": \"printed\"}"); \
    return &plugin;                     \
  }
#include "minimal.h"
