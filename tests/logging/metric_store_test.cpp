#include "core/logging/metric_store.hpp"

#include <ATen/ops/full.h>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "core/adapt/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "tests/logging/log_call.hpp"

using namespace levin::core;

namespace {

using Seen = std::vector<std::pair<std::string, double>>;

Seen seen(const MetricStore& store, MetricSet set) {
  Seen out;
  store.visit(set, [&](const std::string& name, double value) { out.emplace_back(name, value); });
  return out;
}

}  // namespace

TEST_CASE("the epoch's value is reduced by name, means weighted by the batch size") {
  struct Case {
    const char* reduce;
    double value;
  };
  for (const Case& c : {Case{nullptr, 2.5}, {"sum", 6}, {"min", 1}, {"max", 3}}) {
    MetricStore store(true);
    const std::pair<double, int64_t> batches[] = {{1, 1}, {2, 2}, {3, 5}};
    for (const auto& [value, rows] : batches) {
      store.set_batch(rows, -1);
      levin_log l = log_call("m", value, 0, 1);
      l.reduce_fx = c.reduce;
      store.log(training_step, l);
    }
    store.reach_end();
    INFO((c.reduce ? c.reduce : "mean"));
    CHECK(seen(store, MetricSet::logged) == Seen{{"m", c.value}});
  }
}

TEST_CASE("an own batch size wins over the rows of the batch") {
  MetricStore store(true);
  for (const double value : {1.0, 4.0}) {
    store.set_batch(8, -1);
    levin_log l = log_call("m", value, 0, 1);
    l.batch_size = value == 1.0 ? 3 : 1;
    store.log(training_step, l);
  }
  store.reach_end();
  CHECK(seen(store, MetricSet::logged) == Seen{{"m", 1.75}});
}

TEST_CASE("names are forked where a metric is logged by step and by epoch") {
  MetricStore store(true);
  store.set_batch(1, -1);
  store.log(training_step, log_call("m", 2, 1, 1));
  CHECK(seen(store, MetricSet::logged) == Seen{{"m_step", 2}});
  CHECK(seen(store, MetricSet::callback) == Seen{{"m_step", 2}, {"m", 2}});
  store.set_batch(1, -1);
  store.log(training_step, log_call("m", 4, 1, 1));
  store.reach_end();
  CHECK(seen(store, MetricSet::logged) == Seen{{"m_epoch", 3}});
  CHECK(seen(store, MetricSet::callback) == Seen{{"m_epoch", 3}, {"m", 3}});
}

TEST_CASE("evaluation shows step values to loggers, not to callbacks") {
  MetricStore store(false);
  store.set_batch(1, -1);
  store.log(validation_step, log_call("m", 2, 1, 1));
  CHECK(seen(store, MetricSet::logged) == Seen{{"m_step", 2}});
  CHECK(seen(store, MetricSet::callback).empty());
}

TEST_CASE("with several loaders names carry the loader, unless they are told not to") {
  MetricStore store(false);
  for (int64_t loader = 0; loader < 2; ++loader) {
    store.set_batch(1, loader);
    store.log(validation_step, log_call("m", static_cast<double>(loader), 1, 1));
  }
  store.reach_end();
  CHECK(seen(store, MetricSet::logged) == Seen{{"m_epoch/dataloader_idx_0", 0}, {"m_epoch/dataloader_idx_1", 1}});
  Seen of_second;
  store.visit_loader(1, [&](const std::string& name, double value) { of_second.emplace_back(name, value); });
  CHECK(of_second == Seen{{"m_epoch/dataloader_idx_1", 1}});
}

TEST_CASE("a metric reaches only those that it is for") {
  MetricStore store(true);
  store.set_batch(1, -1);
  levin_log quiet = log_call("quiet", 1);
  quiet.logger = quiet.prog_bar = 0;
  store.log(training_step, quiet);
  store.log(training_step, log_call("loud", 2));
  CHECK(seen(store, MetricSet::logged) == Seen{{"loud", 2}});
  CHECK(seen(store, MetricSet::progress) == Seen{{"loud", 2}});
  CHECK(seen(store, MetricSet::callback) == Seen{{"quiet", 1}, {"loud", 2}});
}

TEST_CASE("after a reset nothing is seen until it is logged again") {
  MetricStore store(true);
  store.set_batch(1, -1);
  store.log(training_step, log_call("m", 5, 0, 1));
  store.reset();
  store.reach_end();
  CHECK(seen(store, MetricSet::logged).empty());
  store.reset();
  store.set_batch(1, -1);
  store.log(training_step, log_call("m", 7, 0, 1));
  store.reach_end();
  CHECK(seen(store, MetricSet::logged) == Seen{{"m", 7}});
}

TEST_CASE("values are rounded to float as Lightning's, tensors of double are not") {
  MetricStore store(true);
  store.set_batch(1, -1);
  store.log(training_step, log_call("number", 0.1));
  const at::Tensor wide = at::full({}, 0.1, at::kDouble), narrow = at::full({1}, 0.1, at::kFloat);
  levin_log l = log_call("wide", 0);
  l.tensor = borrow(wide);
  store.log(training_step, l);
  l = log_call("narrow", 0);
  l.tensor = borrow(narrow);
  store.log(training_step, l);
  CHECK(seen(store, MetricSet::logged) ==
        Seen{{"number", static_cast<double>(0.1f)}, {"wide", 0.1}, {"narrow", static_cast<double>(0.1f)}});
}

TEST_CASE("mistakes in a log call are said with the metric's name") {
  MetricStore store(true);
  store.set_batch(1, -1);
  store.log(training_step, log_call("m", 1));
  CHECK_THROWS_WITH(
      store.log(training_step, log_call("m", 1, 1, 1)),
      ContainsSubstring("log(\"m\")") && ContainsSubstring("twice in training_step with different arguments"));
  CHECK_NOTHROW(store.log(training_step, log_call("m", 1, 1, 0)));
  CHECK_THROWS_WITH(store.log(training_step, log_call("a/dataloader_idx_0", 1)),
                    ContainsSubstring("added by the trainer"));
  CHECK_THROWS_WITH(store.log(training_step, log_call("", 1)), ContainsSubstring("needs a name"));
  const at::Tensor two = at::full({2}, 1.0);
  levin_log l = log_call("pair", 0);
  l.tensor = borrow(two);
  CHECK_THROWS_WITH(store.log(training_step, l),
                    ContainsSubstring("pair") && ContainsSubstring("one element, not of 2"));
}

TEST_CASE("a store that was saved within an epoch goes on as if it had not been") {
  const auto log = [](MetricStore& store, double value) {
    store.set_batch(2, -1);
    for (const char* reduce : {"mean", "sum", "min", "max"}) {
      levin_log l = log_call(reduce, value, 1, 1);
      l.reduce_fx = reduce;
      store.log(training_step, l);
    }
  };
  MetricStore whole(true), first(true), second(true);
  for (const double value : {1.0, 0.1, 7.0, -3.0}) log(whole, value);
  for (const double value : {1.0, 0.1}) log(first, value);
  second.load_state_dict(nlohmann::json::parse(first.state_dict().dump()));
  CHECK(seen(second, MetricSet::callback) == seen(first, MetricSet::callback));
  for (const double value : {7.0, -3.0}) log(second, value);
  whole.reach_end();
  second.reach_end();
  CHECK(seen(second, MetricSet::logged) == seen(whole, MetricSet::logged));
}

TEST_CASE("infinite values survive saving a store") {
  MetricStore first(true), second(true);
  first.log(training_step, log_call("m", std::numeric_limits<double>::infinity(), 0, 1));
  second.load_state_dict(nlohmann::json::parse(first.state_dict().dump()));
  second.reach_end();
  REQUIRE(seen(second, MetricSet::logged).size() == 1);
  CHECK(std::isinf(seen(second, MetricSet::logged)[0].second));
}
