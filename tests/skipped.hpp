#pragma once
#include <string>

// Prints "SKIPPED: ..." to stderr. The test program then ends with code 77, which ctest calls skipped, unless something
// failed.
void skipped(const std::string& what_and_why);
