#define OPTIONS                                                  \
  {"count", LEVIN_T_INT, 0, "1", "", 1, 10, NULL, NULL, NULL}, { \
    "count", LEVIN_T_INT, 0, "2", "", 1, 10, NULL, NULL, NULL    \
  }
#include "minimal.h"
