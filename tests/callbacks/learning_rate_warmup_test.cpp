#include "catch.hpp"
#include "levin/testing.hpp"

namespace learning_rate_warmup_test {
using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

// Returns the factor of a batch that begins after this many optimizer steps; -1 = none was set.
double factor_at(FakeHost& host, Component& callback, int64_t step) {
  host.numbers["lr_factor"] = -1;
  host.at(0, step);
  callback.send_batch(LEVIN_HOOK_TRAIN_BATCH_START, step, 100);
  return host.numbers["lr_factor"];
}

}  // namespace

TEST_CASE("the factor rises linearly from start_factor to 1, and is then left alone") {
  FakeHost host;
  Component callback(host, "learning_rate_warmup", {{"num_warmup_steps", 4}, {"start_factor", 0.2}});
  CHECK(factor_at(host, callback, 0) == 0.2);
  CHECK(factor_at(host, callback, 0) == -1);  // within a window of accumulation
  CHECK(factor_at(host, callback, 1) == Approx(0.4));
  CHECK(factor_at(host, callback, 3) == Approx(0.8));
  CHECK(factor_at(host, callback, 4) == 1);
  CHECK(factor_at(host, callback, 5) == -1);
  CHECK(factor_at(host, callback, 1) == Approx(0.4));  // after a return to an earlier checkpoint
}

TEST_CASE("the factor depends on the step alone, so a resumed fit has the same") {
  FakeHost host;
  Component callback(host, "learning_rate_warmup", {{"num_warmup_steps", 10}, {"start_factor", 0}});
  CHECK(factor_at(host, callback, 7) == Approx(0.7));
  Component later(host, "learning_rate_warmup", {{"num_warmup_steps", 10}});
  CHECK(factor_at(host, later, 10) == -1);
}

TEST_CASE("the factor is logged until it is 1") {
  FakeHost host;
  Component callback(host, "learning_rate_warmup", {{"num_warmup_steps", 2}, {"start_factor", 0.5}});
  for (int64_t step = 0; step < 5; ++step) factor_at(host, callback, step);
  REQUIRE(host.logged_now.size() == 3);
  CHECK(host.logged_now[0].values == std::map<std::string, double>{{"lr_factor", 0.5}});
  CHECK(host.logged_now[2].values == std::map<std::string, double>{{"lr_factor", 1}});
}

}  // namespace learning_rate_warmup_test
