#define TABLE_SIZE 24
#include "minimal.h"
