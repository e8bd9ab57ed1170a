#define TABLE_MAJOR 7
#include "minimal.h"
