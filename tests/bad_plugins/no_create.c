#define CREATE NULL
#include "minimal.h"
