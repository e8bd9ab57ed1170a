#include "levin/util/terminal.hpp"

#include <unistd.h>

#include <cstdlib>

#include "catch.hpp"

TEST_CASE("pieces are put into lines of a width, and a longer one stays whole") {
  CHECK(levin::wrapped({"a", "bb", "ccc"}, 0, 2) == "a bb ccc");
  CHECK(levin::wrapped({"a", "bb", "ccc"}, 4, 1) == "a bb\n ccc");
  CHECK(levin::wrapped({"a", "much longer", "c"}, 6, 2) == "a\n  much longer\n  c");
  CHECK(levin::wrapped({"ää", "öö", "ü"}, 5, 0) == "ää öö\nü");
  CHECK(levin::wrapped({}, 5, 0).empty());
}

TEST_CASE("columns are counted in characters") {
  CHECK(levin::text_columns("━ä1") == 3);
  CHECK(levin::first_columns("━ä1", 2) == "━ä");
  CHECK(levin::first_columns("ab", 5) == "ab");
  CHECK(levin::first_columns("ab", 0).empty());
}

TEST_CASE("the columns of a table that may be left out go in their order, until the others fit") {
  using Columns = std::vector<size_t>;
  const Columns widths = {3, 4, 5, 6};
  CHECK(levin::columns_that_fit(widths, 2, 0, {3, 1}) == Columns{0, 1, 2, 3});
  CHECK(levin::columns_that_fit(widths, 2, 24, {3, 1}) == Columns{0, 1, 2, 3});
  CHECK(levin::columns_that_fit(widths, 2, 23, {3, 1}) == Columns{0, 1, 2});
  CHECK(levin::columns_that_fit(widths, 2, 15, {3, 1}) == Columns{0, 2});
  CHECK(levin::columns_that_fit(widths, 2, 1, {3, 1}) == Columns{0, 2});
}

TEST_CASE("a path below the present folder is shown from there") {
  const std::filesystem::path here = std::filesystem::current_path();
  CHECK(levin::path_from_here(here / "levin_logs" / "version_0") == "levin_logs/version_0");
  CHECK(levin::path_from_here(here.parent_path() / "elsewhere") == (here.parent_path() / "elsewhere").string());
}

TEST_CASE("colours follow NO_COLOR, CLICOLOR and CLICOLOR_FORCE") {
  int pipe_ends[2];
  REQUIRE(::pipe(pipe_ends) == 0);
  const auto shows = [&](const char* no_color, const char* force) {
    ::setenv("NO_COLOR", no_color, 1);
    ::setenv("CLICOLOR_FORCE", force, 1);
    return levin::shows_colours(pipe_ends[1]);
  };
  CHECK_FALSE(shows("", ""));
  CHECK_FALSE(shows("", "0"));
  CHECK(shows("", "1"));
  CHECK_FALSE(shows("1", "1"));
  ::unsetenv("NO_COLOR");
  ::unsetenv("CLICOLOR_FORCE");
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
}
