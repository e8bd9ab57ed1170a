#define KIND LEVIN_KIND_DATA
#define OPTIONS \
  { "batch_size", LEVIN_T_INT, 0, "1", "", 1, 10, NULL, NULL, NULL }
#include "minimal.h"
