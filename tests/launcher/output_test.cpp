// The lines of several ranks on one terminal.
#include "launch/output/merged_lines.hpp"
#include "launched.hpp"

using namespace levin::core;
using Lines = std::vector<std::string>;

TEST_CASE("bytes are cut into lines, however they come, and the last one is not lost") {
  LineSplitter splitter;
  CHECK(splitter.add("one\ntw") == Lines{"one"});
  CHECK(splitter.add("o\r\n\nthr") == Lines{"two", ""});
  CHECK(splitter.add("") == Lines{});
  CHECK(splitter.rest() == Lines{"thr"});
  CHECK(splitter.rest() == Lines{});
  CHECK(splitter.add(std::string(200000, 'x')).size() == 1);
}

TEST_CASE("ranks are named in short") {
  CHECK(label_of({2}) == "[rank 2] ");
  CHECK(label_of({1, 2, 3}) == "[ranks 1-3] ");
  CHECK(label_of({1, 3, 4, 9}) == "[ranks 1,3-4,9] ");
}

TEST_CASE("what several ranks say is one line, and the lines of each stay in order") {
  Lines printed;
  MergedLines lines(3, [&printed](int fd, const std::string& line) { printed.push_back(std::to_string(fd) + line); });
  const auto now = MergedLines::Clock::now();
  SECTION("all of them") {
    for (const int rank : {1, 2, 3}) lines.add(rank, 2, "same", now);
    CHECK(printed == Lines{"2[ranks 1-3] same"});
  }
  SECTION("some of them, for a while") {
    lines.add(1, 2, "same", now);
    lines.add(3, 2, "same", now);
    lines.add(3, 1, "same", now);
    CHECK(printed.empty());
    lines.print_due(now + MergedLines::wait);
    CHECK(printed == Lines{"2[ranks 1,3] same", "1[rank 3] same"});
  }
  SECTION("a line that a rank repeats") {
    lines.add(1, 2, "a", now);
    lines.add(1, 2, "a", now);
    lines.add(2, 2, "b", now);
    lines.add(2, 2, "a", now);  // after its own b
    lines.print_all();
    CHECK(printed == Lines{"2[rank 1] a", "2[rank 1] a", "2[rank 2] b", "2[rank 2] a"});
  }
}

TEST_CASE("rank 0 has the terminal, and the others' lines come with their numbers") {
  Launched run({4, {"0:print progress", "1,2,3:warn slow", "3:print odd", "2:partial no end"}});
  CHECK(run.code() == 0);
  CHECK(run.out() == "progress\n[rank 3] odd\n");
  CHECK_THAT(run.err(), ContainsSubstring("[ranks 1-3] slow\n"));
  CHECK_THAT(run.err(), ContainsSubstring("[rank 2] no end\n"));
  CHECK_THAT(run.err(), !ContainsSubstring("progress"));
}

TEST_CASE("what is said in the end is not lost, though a program of the rank holds its output open") {
  Launched run({2, {"1:background", "1:partial last words", "1:exit 0"}});
  CHECK(run.code() == 0);
  CHECK_THAT(run.err(), ContainsSubstring("[rank 1] last words\n"));
}
