/* A correct plugin, but its file alone does not determine the component. */
#define SECOND "other"
#include "minimal.h"
