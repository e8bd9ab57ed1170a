#include "tests/bad_plugins/minimal.h"
int levin_thing(void);
int call_levin_thing(void);
int call_levin_thing(void) { return levin_thing(); }
