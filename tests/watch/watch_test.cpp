#include <cmath>

#include "catch.hpp"
#include "host/watch/braille.hpp"
#include "host/watch/watch_screen.hpp"
#include "sdk/include/levin/util/terminal.hpp"

using namespace levin::core;
using namespace levin::core::watch;

namespace {

MetricHistory history(const std::string& name, int n, double scale) {
  MetricHistory out{name, {}, {}, {}};
  for (int i = 0; i < n; ++i) {
    out.steps.push_back(i);
    out.epochs.push_back(0);
    out.values.push_back(scale / (i + 1));
  }
  return out;
}

Watched watched(const std::map<std::string, MetricHistory>& metrics) {
  Watched out;
  out.row.name = "version_3";
  out.row.state = RunState::running;
  out.row.epoch = 1;
  out.row.step = 140;
  out.row.metrics = {{"train_loss", 0.5}};
  out.metrics = &metrics;
  out.log = "one\ntwo\nthree\x1b[31m\n";
  return out;
}

}  // namespace

TEST_CASE("a rising line goes from the lower left to the upper right") {
  const auto rows = chart({{{0, 1}, {0, 1}}}, 9 + 4, 2, false);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].substr(0, 9) == "     1.0 ");
  CHECK(rows[1].substr(0, 9) == "     0.0 ");
  CHECK(rows[0].substr(9, 2) == "  ");                 // nothing at the upper left
  CHECK(rows[1].find("\xe2") == 9);                    // something at the lower left
  CHECK(rows[0].substr(rows[0].size() - 3) != "   ");  // and at the upper right
}

TEST_CASE("charts of odd values have their size and no control characters") {
  const std::vector<std::vector<Line>> odd = {{},
                                              {{{}, {}}},
                                              {{{1}, {1}}},
                                              {{{1, 2}, {NAN, INFINITY}}},
                                              {{{1, 2, 3}, {1, NAN, 3}}},
                                              {{{1, 2}, {5, 5}}},
                                              {{{1e300, 2}, {-1e300, 1e300}}}};
  for (const auto& lines : odd)
    for (const size_t width : {0, 5, 9, 10, 40})
      for (const size_t height : {0, 1, 7}) {
        const auto rows = chart(lines, width, height, false);
        CHECK(rows.size() == height);
        for (const std::string& row : rows) {
          CHECK(levin::text_columns(row) <= width);
          CHECK_THAT(row, !ContainsSubstring("\x1b"));
        }
      }
}

TEST_CASE("the screen fits every terminal") {
  std::map<std::string, MetricHistory> metrics;
  for (const char* name :
       {"train_loss", "val_loss", "val_acc", "lr", "a_metric_with_a_name_that_is_longer_than_its_column_could_ever_be"})
    metrics[name] = history(name, 50, 2);
  for (const size_t columns : {1, 10, 40, 80, 200, 300})
    for (const size_t rows : {1, 2, 5, 24, 60}) {
      const auto lines = watch_screen(watched(metrics), {columns, rows, false});
      CHECK(lines.size() <= rows);
      for (const std::string& line : lines) {
        CHECK(levin::text_columns(line) <= columns);
        CHECK_THAT(line, !ContainsSubstring("\x1b"));
      }
    }
}

TEST_CASE("the screen shows the state, the loss first, and the last lines of the log") {
  std::map<std::string, MetricHistory> metrics;
  for (const char* name : {"train_loss", "val_loss", "val_acc"}) metrics[name] = history(name, 50, 2);
  const auto lines = watch_screen(watched(metrics), {80, 24, false});
  CHECK(lines[0] == "version_3: running, epoch 2, step 140");
  CHECK_THAT(lines[1], ContainsSubstring("loss  train 0.040  val 0.040"));
  CHECK(lines.back() == "three?[31m");
  const auto coloured = watch_screen(watched(metrics), {80, 24, true});
  CHECK_THAT(coloured[1], ContainsSubstring(line_colour(0)) && ContainsSubstring(line_colour(1)));
  CHECK_THAT(watch_screen(watched({}), {80, 24, false})[1], ContainsSubstring("no metric of several steps yet"));
  CHECK(watch_line(watched(metrics)) == "version_3 running, epoch 2, step 140, train_loss 0.500");
}
