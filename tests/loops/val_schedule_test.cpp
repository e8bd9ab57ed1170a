// When a fit validates. The expected values are Lightning's unless a comment says otherwise.
#include "core/loops/fit_rules.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;

namespace {

using Places = std::vector<std::pair<int64_t, int64_t>>;  // epoch, batch

struct Case {
  int64_t batches;  // per epoch
  int64_t epochs;
  ValCheckInterval interval;
  std::optional<int64_t> every_n_epoch;
  Places validations;
  bool sized = true;
  std::optional<int64_t> limit_train{};
};

constexpr ValCheckInterval fraction(double value) { return {value, true, {}}; }
constexpr ValCheckInterval every(double batches) { return {batches, false, {}}; }

Places run(const Case& c) {
  RunPlan plan;
  plan.validation.val_check_interval = c.interval;
  plan.validation.check_val_every_n_epoch = c.every_n_epoch;
  const auto check = val_check_batch(plan, c.sized ? std::optional<int64_t>(c.batches) : std::nullopt);
  Places out;
  int64_t total = 0;
  for (int64_t epoch = 0; epoch < c.epochs; ++epoch)
    for (int64_t batch = 0; batch < c.batches; ++batch, ++total) {
      ValidationInputs in;
      in.epoch = epoch;
      in.batch_idx = batch;
      in.total_batch_idx = total;
      in.is_last_batch = batch == c.batches - 1;
      in.limit_train = c.limit_train;
      if (validates_now(plan, check, in)) out.emplace_back(epoch, batch);
    }
  return out;
}

}  // namespace

TEST_CASE("validation falls where Lightning's does") {
  const Case cases[] = {
      {4, 2, fraction(1.0), 1, {{0, 3}, {1, 3}}},
      {4, 2, fraction(0.5), 1, {{0, 1}, {0, 3}, {1, 1}, {1, 3}}},
      {4, 1, fraction(0.3), 1, {{0, 0}, {0, 1}, {0, 2}, {0, 3}}},
      {5, 2, fraction(0.5), 1, {{0, 1}, {0, 3}, {1, 1}, {1, 3}}},
      {5, 2, fraction(0.9), 1, {{0, 3}, {1, 3}}},
      {10, 2, fraction(1.0 / 3), 1, {{0, 2}, {0, 5}, {0, 8}, {1, 2}, {1, 5}, {1, 8}}},
      {6, 1, fraction(0.1), 1, {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}}},
      {6, 2, every(3), 1, {{0, 2}, {0, 5}, {1, 2}, {1, 5}}},
      {6, 2, every(5), 1, {{0, 4}, {1, 4}}},
      {3, 4, fraction(1.0), 2, {{1, 2}, {3, 2}}},
      {3, 5, fraction(1.0), 3, {{2, 2}}},
      {3, 3, fraction(1.0), 5, {}},
      {4, 4, fraction(0.5), 2, {{1, 1}, {1, 3}, {3, 1}, {3, 3}}},
      {4, 4, every(1), 3, {{2, 0}, {2, 1}, {2, 2}, {2, 3}}},
      {2, 4, every(10), std::nullopt, {}},
      {2, 4, every(4), std::nullopt, {{1, 1}, {3, 1}}},
      {4, 4, every(3), std::nullopt, {{0, 2}, {1, 1}, {2, 0}, {2, 3}, {3, 2}}},
      {5, 4, every(7), std::nullopt, {{1, 1}, {2, 3}}},
      {3, 2, fraction(1.0), std::nullopt, {{0, 2}, {1, 2}}},
      {5, 2, fraction(1.0), std::nullopt, {{0, 4}, {1, 4}}, false},
      {2, 2, {0, false, 0.0}, 1, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}},
      {5, 2, fraction(1.0), 1, {{0, 4}, {1, 4}}, false},
      {5, 2, every(3), std::nullopt, {{0, 2}, {1, 0}, {1, 3}}, false},
      {3, 2, every(2), 1, {{0, 1}, {1, 1}}, false, 3},
      {5, 2, fraction(1.0), 1, {{0, 4}, {1, 4}}, false, 10},  // Lightning never validates here
  };
  for (const Case& c : cases) {
    INFO(c.batches << " batches, interval " << c.interval.value << (c.interval.fraction ? " of them" : ""));
    CHECK(run(c) == c.validations);
  }
}

TEST_CASE("by time, it falls after a batch when the time has passed, the last one included") {
  RunPlan plan;
  plan.validation.val_check_interval.seconds = 10;
  ValidationInputs in;
  for (const bool last : {false, true}) {
    in.is_last_batch = last;
    in.seconds_since_last = 9.9;
    CHECK_FALSE(validates_now(plan, std::nullopt, in));
    in.seconds_since_last = 10;
    CHECK(validates_now(plan, std::nullopt, in));
  }
}

TEST_CASE("a fit that stops validates before it does") {
  RunPlan plan;
  ValidationInputs in;
  in.batch_idx = 1;
  CHECK_FALSE(validates_now(plan, 4, in));
  in.stopping = true;
  CHECK(validates_now(plan, 4, in));
  plan.validation.check_val_every_n_epoch = 2;
  CHECK_FALSE(validates_now(plan, 4, in));
}

TEST_CASE("an interval that does not fit the data is refused") {
  RunPlan plan;
  plan.validation.val_check_interval = every(10);
  CHECK_THROWS_WITH(val_check_batch(plan, 4),
                    ContainsSubstring("val_check_interval=10") && ContainsSubstring("4 batches"));
  plan.validation.check_val_every_n_epoch = std::nullopt;
  CHECK(*val_check_batch(plan, 4) == 10);
  plan.validation.val_check_interval = fraction(0.5);
  CHECK_THROWS_WITH(val_check_batch(plan, std::nullopt), ContainsSubstring("length of the data is unknown"));
}

TEST_CASE("an interval of no batches is refused, and one of a zeroth of the epoch is one batch") {
  RunPlan plan;
  plan.validation.val_check_interval = every(0);
  CHECK_THROWS_AS(val_check_batch(plan, 4), Error);
  plan.validation.val_check_interval = fraction(0.0);
  CHECK(val_check_batch(plan, 4) == 1);
}

TEST_CASE("a fraction that whole batches cannot keep is told of") {
  struct Remark {
    ValCheckInterval interval;
    int64_t batches;
    const char* says;  // "" = the fraction is kept
  };
  const Remark cases[] = {
      {fraction(1.0), 10, ""},
      {fraction(0.5), 10, ""},
      {fraction(0.25), 4, ""},
      {fraction(0.1), 10, ""},
      {every(3), 10, ""},
      {{1.0, true, 5}, 10, ""},
      {fraction(0.3), 10, "after each 3 batches, and none after the last one"},
      {fraction(0.3), 4, "after each batch;"},
      {fraction(0.1), 6, ""},  // smaller than one batch
      {fraction(0.4), 8, "0.4 of the 8 batches of an epoch is a validation after each 3 batches, and none"},
      {fraction(0.25), 6, "after each batch;"},
      {fraction(0.5), 7, "after each 3 batches, and none"},
  };
  for (const Remark& c : cases) {
    RunPlan plan;
    plan.validation.val_check_interval = c.interval;
    const std::string remark = val_check_remark(plan, c.batches);
    INFO(c.interval.value << " of " << c.batches << ": " << remark);
    if (*c.says)
      CHECK_THAT(remark, ContainsSubstring(c.says));
    else
      CHECK(remark.empty());
  }
}
