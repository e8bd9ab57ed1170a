#define ID "org.levin.another"
#include "minimal.h"
