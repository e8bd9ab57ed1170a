/* Output printed while the plugin is described must not corrupt its description. */
#include <stdio.h>
#define ENTRY                           \
  {                                     \
    (void)host;                         \
    puts("{\"problem\": \"printed\"}"); \
    return &plugin;                     \
  }
#include "minimal.h"
