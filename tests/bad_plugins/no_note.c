/* A shared library that is not a plugin. */
int answer(void);
int answer(void) { return 42; }
