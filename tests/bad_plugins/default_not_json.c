#define OPTIONS \
  { "count", LEVIN_T_INT, 0, "one", "", 1, 10, NULL, NULL, NULL }
#include "minimal.h"
