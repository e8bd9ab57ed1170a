#include "host/commands/fitted_output.hpp"

#include "catch.hpp"

using levin::core::fitted;

TEST_CASE("text is wrapped at spaces, and a text beside a name stays in its column") {
  const std::string help = "Trains and validates the model.\n\nOptions\n  --quiet    show warnings and errors only\n";
  CHECK(fitted(help, 0) == help);
  CHECK(fitted(help, 60) == help);
  CHECK(fitted(help, 30) ==
        "Trains and validates the\nmodel.\n\nOptions\n"
        "  --quiet    show warnings and\n             errors only\n");
}

TEST_CASE("a text that has no room beside its name comes below it, and what goes on with it too") {
  CHECK(fitted("  --a_long_name VALUE   what it is\n                        and more of it\n", 30) ==
        "  --a_long_name VALUE\n      what it is\n      and more of it\n");
  CHECK(fitted("  a_word_that_is_longer_than_the_line", 20) == "  a_word_that_is_longer_than_the_line");
}
