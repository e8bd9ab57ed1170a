#define OPTIONS \
  { "count", LEVIN_T_INT, 0, "11", "", 1, 10, NULL, NULL, NULL }
#include "minimal.h"
