#define SECOND "thing"
#include "minimal.h"
