#define ENTRY                                                          \
  {                                                                    \
    host->fail(host, LEVIN_E_STATE, "the moon is in the wrong phase"); \
    (void)plugin;                                                      \
    return NULL;                                                       \
  }
#include "minimal.h"
