int levin_thing(void);
int levin_thing(void) { return 1; }
