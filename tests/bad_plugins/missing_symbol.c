int nobody_has_this_function(void);
#define ENTRY                                           \
  {                                                     \
    (void)host;                                         \
    return nobody_has_this_function() ? &plugin : NULL; \
  }
#include "minimal.h"
