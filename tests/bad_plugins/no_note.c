/* A shared library that is no plugin. */
int answer(void);
int answer(void) { return 42; }
