#define HOOKS \
  { UINT64_C(1) << 60, 0 }
#include "minimal.h"
