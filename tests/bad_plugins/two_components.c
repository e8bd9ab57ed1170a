/* Nothing is wrong with it, but its file alone does not say which component is meant. */
#define SECOND "other"
#include "minimal.h"
