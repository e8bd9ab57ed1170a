/* A correct plugin. */
#include "minimal.h"
