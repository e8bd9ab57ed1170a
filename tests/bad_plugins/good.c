/* Nothing is wrong with it. */
#include "minimal.h"
