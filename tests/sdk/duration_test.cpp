#include "levin/util/duration.hpp"

#include "catch.hpp"

using levin::DurationDigits;
using levin::parse_duration;

namespace {
struct Case {
  const char* text;
  double seconds;
};
}  // namespace

TEST_CASE("lengths of time are read") {
  const Case cases[] = {
      {"00:00:00:10", 10},
      {"00:00:00:00", 0},
      {"001:00:00:00", 86400},
      {" 00:00:00:22 ", 22},
      {"\t00:00:01:00\n", 60},
      {"\"100:01:02:03\"", 8643723},
      {"\" 00:00:00:22 \"", 22},
      {"{\"hours\": 1, \"minutes\": 1.5}", 3690},
      {" {\"weeks\": 52, \"days\": 1}", 31536000},
      {"{}", 0},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    const auto seconds = parse_duration(c.text);
    REQUIRE(seconds);
    CHECK(*seconds == c.seconds);
  }
}

TEST_CASE("what is no length of time is not read") {
  for (const char* bad : {"", " ", "10", "00:00:10", "00:0:00:10", "00: 0:00:10", "00:00:00:1x",
                          "00:00:00:10:", "-1:00:00:00", "00:00:00:1.5", "{\"years\": 1}", "{\"hours\"}",
                          "{\"hours\": 1", "{hours: 1}", "{\"hours\": \"1\"}", "{\"hours\": -1}"}) {
    INFO(bad);
    CHECK_FALSE(parse_duration(bad));
  }
}

// The difference between Lightning's max_time and val_check_interval.
TEST_CASE("where any number of digits will do, blanks may be around each") {
  for (const Case& c :
       {Case{"1:2:3:4", 93784}, {"01:02:03:04", 93784}, {" 00 : 0:00: 100 ", 100}, {"00:00:00:00", 0}}) {
    INFO(c.text);
    const auto seconds = parse_duration(c.text, DurationDigits::any);
    REQUIRE(seconds);
    CHECK(*seconds == c.seconds);
  }
  for (const char* bad : {"1:2:3", "00:00:00:1.5", "::: ", "0 0:00:00:00", "1:2:3:4:5"}) {
    INFO(bad);
    CHECK_FALSE(parse_duration(bad, DurationDigits::any));
  }
}

TEST_CASE("whole seconds are written as they are read") {
  for (const char* text : {"00:00:00:00", "00:00:00:59", "01:23:59:59", "100:00:00:01"}) {
    INFO(text);
    CHECK(levin::format_duration(static_cast<int64_t>(*parse_duration(text))) == text);
  }
}
