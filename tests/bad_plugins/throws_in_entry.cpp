#include <stdexcept>
#define ENTRY                                   \
  {                                             \
    (void)host;                                 \
    (void)plugin;                               \
    throw std::runtime_error("entry is upset"); \
  }
#include "minimal.h"
