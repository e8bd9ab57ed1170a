#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif
#include <cstdio>

#include "skipped.hpp"

namespace {
bool any_skipped = false;
}

void skipped(const std::string& what_and_why) {
  any_skipped = true;
  std::fprintf(stderr, "SKIPPED: %s\n", what_and_why.c_str());
}

int main(int argc, char** argv) {
  constexpr int code_of_skipped = 77;
  const int failed = Catch::Session().run(argc, argv);
  return failed == 0 && any_skipped ? code_of_skipped : failed;
}
