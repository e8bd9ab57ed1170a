#define N_COMPONENTS 0
#include "minimal.h"
