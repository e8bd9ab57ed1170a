#define NO_ENTRY
#include "minimal.h"
