#define KIND 77u
#include "minimal.h"
