#include <cmath>
#include <vector>

#include "callbacks/early_stopping/rank_message.hpp"
#include "callbacks/early_stopping/stopping_rule.hpp"
#include "catch.hpp"

namespace stopping_rule_test {
using namespace levin::early_stopping;

namespace {

const double not_a_number = std::nan("");
const double inf = INFINITY;

struct Case {
  const char* what;
  StoppingOptions options;
  std::vector<double> values;
  int stops_at;  // index of the value; -1 = never
  StoppingReason reason;
  int64_t wait_count;
  double best;
};

StoppingOptions options(int64_t patience, bool maximize = false, double min_delta = 0) {
  StoppingOptions o;
  o.patience = patience, o.maximize = maximize, o.min_delta = min_delta;
  return o;
}
StoppingOptions thresholds(std::optional<double> stopping, std::optional<double> divergence, bool maximize = false) {
  StoppingOptions o = options(3, maximize);
  o.stopping_threshold = stopping, o.divergence_threshold = divergence;
  return o;
}
StoppingOptions unchecked() {
  StoppingOptions o = options(2);
  o.check_finite = false;
  return o;
}

const auto never = StoppingReason::not_stopped;
const auto patience = StoppingReason::patience_exhausted;
const std::vector<Case> cases = {
    {"patience counts checks without improvement", options(2), {4, 5, 5}, 2, patience, 2, 4},
    {"an improvement resets the count", options(2), {4, 5, 3, 5, 5}, 4, patience, 2, 3},
    {"an equal value is no improvement", options(1), {4, 4}, 1, patience, 1, 4},
    {"patience 0 stops at the first check without improvement", options(0), {4, 3, 3.5}, 2, patience, 1, 3},
    {"improving for ever never stops", options(1), {4, 3, 2, 1}, -1, never, 0, 1},
    {"more can be better", options(1, true), {1, 2, 1.5}, 2, patience, 1, 2},
    {"an improvement has to exceed min_delta", options(2, false, 0.5), {4, 3.75, 3.5}, 2, patience, 2, 4},
    {"steps below min_delta add up", options(3, false, 0.5), {4, 3.75, 3.25}, -1, never, 0, 3.25},
    {"min_delta works upwards too", options(1, true, 1), {1, 1.5}, 1, patience, 1, 1},
    {"compares in single precision", options(1, false, 0.1), {1.0, 0.9f}, 1, patience, 1, 1},
    {"NaN stops at once", options(5), {2, not_a_number}, 1, StoppingReason::non_finite_metric, 0, 2},
    {"infinity stops at once", options(5), {2, 3, inf}, 2, StoppingReason::non_finite_metric, 1, 2},
    {"unchecked, NaN is no improvement", unchecked(), {2, not_a_number, not_a_number}, 2, patience, 2, 2},
    {"good enough", thresholds(1.5, {}), {3, 1.5, 1.25}, 2, StoppingReason::stopping_threshold, 0, 1.5},
    {"good enough upwards", thresholds(0.9, {}, true), {0.5, 0.95}, 1, StoppingReason::stopping_threshold, 0, 0.5},
    {"hopeless", thresholds({}, 10), {3, 10, 11}, 2, StoppingReason::divergence_threshold, 1, 3},
    {"hopeless upwards", thresholds({}, 0.1, true), {0.5, 0.05}, 1, StoppingReason::divergence_threshold, 0, 0.5},
};

}  // namespace

TEST_CASE("the stopping rule stops when and why it should") {
  for (const Case& c : cases) {
    INFO(c.what);
    StoppingRule rule(c.options);
    int stopped = -1;
    for (size_t i = 0; i < c.values.size() && stopped < 0; ++i)
      if (rule.check(c.values[i])) stopped = static_cast<int>(i);
    CHECK(stopped == c.stops_at);
    CHECK(rule.state().reason == c.reason);
    CHECK(rule.state().wait_count == c.wait_count);
    CHECK(rule.state().best_score == c.best);
  }
}

TEST_CASE("the stopping rule explains itself") {
  StoppingRule rule(options(1));
  rule.check(0.5);
  CHECK_THAT(rule.message("val_loss"), ContainsSubstring("val_loss improved"));
  rule.check(0.25);
  CHECK_THAT(rule.message("val_loss"), ContainsSubstring("improved by 0.250"));
  rule.check(0.75);
  CHECK_THAT(rule.message("val_loss"), ContainsSubstring("did not improve in the last 1 checks. Best score: 0.250"));
  StoppingRule bounded(thresholds(1.5, 10));
  bounded.check(11);
  CHECK_THAT(bounded.message("m"), ContainsSubstring("m = 11.0 > 10.0"));
  bounded.check(1);
  CHECK_THAT(bounded.message("m"), ContainsSubstring("m = 1.0 < 1.5"));
  bounded.check(not_a_number);
  CHECK_THAT(bounded.message("m"), ContainsSubstring("m = nan is not finite"));
  bounded.check(2);
  CHECK_THAT(bounded.message("m"), ContainsSubstring("improved"));
}

TEST_CASE("a restored rule goes on where the saved one was") {
  StoppingRule first(options(3));
  for (const double v : {5.0, 6.0, 6.0}) first.check(v);
  StoppingRule second(options(3));
  second.restore(first.state());
  CHECK(second.check(6));
  CHECK(second.state().wait_count == 3);
}

TEST_CASE("a line says which rank speaks when there are several") {
  CHECK(rank_message("hi", 0, 1, false) == std::string("hi"));
  CHECK(rank_message("hi", 1, 1, true) == std::string("hi"));
  CHECK(rank_message("hi", 1, 2, false) == std::string("[rank: 1] hi"));
  CHECK(rank_message("hi", 0, 2, true) == std::string("[rank: 0] hi"));
  CHECK_FALSE(rank_message("hi", 1, 2, true).has_value());
}

}  // namespace stopping_rule_test
