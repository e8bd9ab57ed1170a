#include "core/logging/metrics/metric_store.hpp"

#include <ATen/ops/full.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "catch.hpp"
#include "core/abi/tensor_handle.hpp"
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
      store.log(LogOrigin::training_step, l);
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
    store.log(LogOrigin::training_step, l);
  }
  store.reach_end();
  CHECK(seen(store, MetricSet::logged) == Seen{{"m", 1.75}});
}

TEST_CASE("names are forked where a metric is logged by step and by epoch") {
  MetricStore store(true);
  store.set_batch(1, -1);
  store.log(LogOrigin::training_step, log_call("m", 2, 1, 1));
  CHECK(seen(store, MetricSet::logged) == Seen{{"m_step", 2}});
  CHECK(seen(store, MetricSet::callback) == Seen{{"m_step", 2}, {"m", 2}});
  store.set_batch(1, -1);
  store.log(LogOrigin::training_step, log_call("m", 4, 1, 1));
  store.reach_end();
  CHECK(seen(store, MetricSet::logged) == Seen{{"m_epoch", 3}});
  CHECK(seen(store, MetricSet::callback) == Seen{{"m_epoch", 3}, {"m", 3}});
}

TEST_CASE("evaluation shows step values to loggers, not to callbacks") {
  MetricStore store(false);
  store.set_batch(1, -1);
  store.log(LogOrigin::validation_step, log_call("m", 2, 1, 1));
  CHECK(seen(store, MetricSet::logged) == Seen{{"m_step", 2}});
  CHECK(seen(store, MetricSet::callback).empty());
}

TEST_CASE("with several loaders names carry the loader, unless they are told not to") {
  MetricStore store(false);
  for (int64_t loader = 0; loader < 2; ++loader) {
    store.set_batch(1, loader);
    store.log(LogOrigin::validation_step, log_call("m", static_cast<double>(loader), 1, 1));
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
  store.log(LogOrigin::training_step, quiet);
  store.log(LogOrigin::training_step, log_call("loud", 2));
  CHECK(seen(store, MetricSet::logged) == Seen{{"loud", 2}});
  CHECK(seen(store, MetricSet::progress) == Seen{{"loud", 2}});
  CHECK(seen(store, MetricSet::callback) == Seen{{"quiet", 1}, {"loud", 2}});
}

TEST_CASE("after a reset nothing is seen until it is logged again") {
  MetricStore store(true);
  store.set_batch(1, -1);
  store.log(LogOrigin::training_step, log_call("m", 5, 0, 1));
  store.reset();
  store.reach_end();
  CHECK(seen(store, MetricSet::logged).empty());
  store.reset();
  store.set_batch(1, -1);
  store.log(LogOrigin::training_step, log_call("m", 7, 0, 1));
  store.reach_end();
  CHECK(seen(store, MetricSet::logged) == Seen{{"m", 7}});
}

TEST_CASE("values are rounded to float as Lightning's, tensors of double are not") {
  MetricStore store(true);
  store.set_batch(1, -1);
  store.log(LogOrigin::training_step, log_call("number", 0.1));
  const at::Tensor wide = at::full({}, 0.1, at::kDouble), narrow = at::full({1}, 0.1, at::kFloat);
  levin_log l = log_call("wide", 0);
  l.tensor = borrow(wide);
  store.log(LogOrigin::training_step, l);
  l = log_call("narrow", 0);
  l.tensor = borrow(narrow);
  store.log(LogOrigin::training_step, l);
  CHECK(seen(store, MetricSet::logged) ==
        Seen{{"number", static_cast<double>(0.1f)}, {"wide", 0.1}, {"narrow", static_cast<double>(0.1f)}});
}

TEST_CASE("mistakes in a log call are said with the metric's name") {
  MetricStore store(true);
  store.set_batch(1, -1);
  store.log(LogOrigin::training_step, log_call("m", 1));
  CHECK_THROWS_WITH(
      store.log(LogOrigin::training_step, log_call("m", 1, 1, 1)),
      ContainsSubstring("log(\"m\")") && ContainsSubstring("twice in training_step with different arguments"));
  CHECK_NOTHROW(store.log(LogOrigin::training_step, log_call("m", 1, 1, 0)));
  char reduce[] = "sum";  // a plugin may reuse a buffer for several names
  levin_log summed = log_call("s", 1);
  summed.reduce_fx = reduce;
  store.log(LogOrigin::training_step, summed);
  std::copy_n("max", 3, reduce);
  CHECK_THROWS_WITH(store.log(LogOrigin::training_step, summed), ContainsSubstring("different arguments"));
  CHECK_THROWS_WITH(store.log(LogOrigin::training_step, log_call("a/dataloader_idx_0", 1)),
                    ContainsSubstring("added by the trainer"));
  CHECK_THROWS_WITH(store.log(LogOrigin::training_step, log_call("", 1)), ContainsSubstring("needs a name"));
  const at::Tensor two = at::full({2}, 1.0);
  levin_log l = log_call("pair", 0);
  l.tensor = borrow(two);
  CHECK_THROWS_WITH(store.log(LogOrigin::training_step, l),
                    ContainsSubstring("pair") && ContainsSubstring("one element, not of 2"));
}

TEST_CASE("a store that was saved within an epoch goes on as if it had not been") {
  const auto log = [](MetricStore& store, double value) {
    store.set_batch(2, -1);
    for (const char* reduce : {"mean", "sum", "min", "max"}) {
      levin_log l = log_call(reduce, value, 1, 1);
      l.reduce_fx = reduce;
      store.log(LogOrigin::training_step, l);
    }
  };
  MetricStore whole(true), first(true), second(true);
  for (const double value : {1.0, 0.1, 7.0, -3.0}) log(whole, value);
  for (const double value : {1.0, 0.1}) log(first, value);
  second.load_state_dict(nlohmann::json::parse(first.state_dict().dump()), {});
  CHECK(seen(second, MetricSet::callback) == seen(first, MetricSet::callback));
  for (const double value : {7.0, -3.0}) log(second, value);
  whole.reach_end();
  second.reach_end();
  CHECK(seen(second, MetricSet::logged) == seen(whole, MetricSet::logged));
}

TEST_CASE("a value of one process alone is known as such after a resume") {
  MetricStore before(true), after(true);
  levin_log l = log_call("own", 1, 0, 1);
  before.log(LogOrigin::training_step, l);
  l = log_call("of first", 1, 0, 1);
  l.rank_zero_only = 1;
  before.log(LogOrigin::training_step, l);
  after.load_state_dict(before.state_dict(), before.metric_states());
  for (const MetricStore* store : {&before, &after}) {
    CHECK(store->is_unreduced("own"));
    CHECK_FALSE(store->is_unreduced("of first"));
  }
}

TEST_CASE("a metric with a state gets it back, added to what it has seen since the resume") {
  at::Tensor before = at::full({}, 5.0, at::kDouble), after = at::full({}, 2.0, at::kDouble);
  levin_metric metric{};
  metric.o.size = sizeof metric;
  metric.state = [](void* self, const levin_metric_state* v) {
    return v->tensor(v, "sum", borrow(*static_cast<at::Tensor*>(self)), LEVIN_REDUCE_SUM);
  };
  metric.compute = [](void* self, double* out) -> levin_status {
    *out = static_cast<at::Tensor*>(self)->item<double>();
    return LEVIN_OK;
  };
  metric.o.load = [](void* self, const levin_reader* reader) -> levin_status {
    levin_tensor* saved = nullptr;
    if (reader->get_tensor(reader, "sum", &saved) != LEVIN_OK) return LEVIN_E_NOT_FOUND;
    static_cast<at::Tensor*>(self)->add_(own(saved));
    return LEVIN_OK;
  };
  const auto logged = [&metric](at::Tensor& self) {
    levin_log l = log_call("m", 0, 0, 1);
    l.metric = &metric;
    l.metric_self = &self;
    return l;
  };
  MetricStore first(true), second(true);
  first.log(LogOrigin::training_step, logged(before));
  second.load_state_dict(nlohmann::json::parse(first.state_dict().dump()), first.metric_states());
  SECTION("when it is logged again, and only once") {
    for (int batch = 0; batch < 2; ++batch) second.log(LogOrigin::training_step, logged(after));
    second.reach_end();
    CHECK(seen(second, MetricSet::logged) == Seen{{"m", 7}});
  }
  SECTION("and what it said stands for it where it is not") {
    CHECK(second.metric_states().at(0).tensors().at("sum").item<double>() == 5);
    second.reach_end();
    CHECK(seen(second, MetricSet::logged) == Seen{{"m", 5}});
  }
}

TEST_CASE("a metric's state has a reduction that there is") {
  at::Tensor sum = at::full({}, 5.0, at::kDouble);
  levin_metric metric{};
  metric.o.size = sizeof metric;
  metric.state = [](void* self, const levin_metric_state* v) {
    return v->tensor(v, "sum", borrow(*static_cast<at::Tensor*>(self)), 9);
  };
  levin_log l = log_call("m", 0, 0, 1);
  l.metric = &metric;
  l.metric_self = &sum;
  MetricStore store(true);
  store.log(LogOrigin::training_step, l);
  CHECK_THROWS_WITH(store.metric_states(),
                    ContainsSubstring("the metric 'm' could not return its state: the state 'sum'"));
}

TEST_CASE("a metric with a state is asked for the batch on the step and for all batches of the epoch, each once") {
  struct Says {
    double batch, all;
    int asked = 0;
  } says{2, 7};
  levin_metric metric{};
  metric.o.size = sizeof metric;
  metric.compute = [](void* self, double* out) -> levin_status {
    auto& s = *static_cast<Says*>(self);
    return ++s.asked, *out = s.all, LEVIN_OK;
  };
  metric.compute_step = [](void* self, double* out) -> levin_status {
    auto& s = *static_cast<Says*>(self);
    return ++s.asked, *out = s.batch, LEVIN_OK;
  };
  levin_log l = log_call("m", 0, 1, 1);
  l.metric = &metric;
  l.metric_self = &says;
  MetricStore store(true);
  SECTION("through all readers") {
    store.log(LogOrigin::training_step, l);
    for (int reader = 0; reader < 2; ++reader) CHECK(seen(store, MetricSet::logged) == Seen{{"m_step", 2}});
    CHECK(says.asked == 1);
    says.batch = 3;
    store.log(LogOrigin::training_step, l);
    CHECK(seen(store, MetricSet::progress) == Seen{{"m_step", 3}});
    store.reach_end();
    for (int reader = 0; reader < 2; ++reader) CHECK(seen(store, MetricSet::logged) == Seen{{"m_epoch", 7}});
    CHECK(says.asked == 3);
  }
  SECTION("and both are there after a resume, until it is logged again") {
    store.log(LogOrigin::training_step, l);
    MetricStore second(true);
    second.load_state_dict(nlohmann::json::parse(store.state_dict().dump()), {});
    CHECK(seen(second, MetricSet::logged) == Seen{{"m_step", 2}});
    second.reach_end();
    CHECK(seen(second, MetricSet::logged) == Seen{{"m_epoch", 7}});
  }
  SECTION("but for all batches alone where it comes from before there was the difference") {
    metric.o.size = offsetof(levin_metric, compute_step);
    store.log(LogOrigin::training_step, l);
    CHECK(seen(store, MetricSet::logged) == Seen{{"m_step", 7}});
  }
}

TEST_CASE("infinite values survive saving a store") {
  MetricStore first(true), second(true);
  first.log(LogOrigin::training_step, log_call("m", std::numeric_limits<double>::infinity(), 0, 1));
  second.load_state_dict(nlohmann::json::parse(first.state_dict().dump()), {});
  second.reach_end();
  REQUIRE(seen(second, MetricSet::logged).size() == 1);
  CHECK(std::isinf(seen(second, MetricSet::logged)[0].second));
}

TEST_CASE("one metric object over two loaders is refused: each would show the samples of both") {
  levin_metric table{};
  table.o.size = sizeof table;
  table.compute = [](void*, double* out) -> levin_status { return *out = 1, LEVIN_OK; };
  table.reset = [](void*) -> levin_status { return LEVIN_OK; };
  int shared = 0, other = 0;
  const auto log = [&](MetricStore& store, int64_t loader, void* self, const char* name = "acc") {
    store.set_batch(1, loader);
    levin_log call = log_call(name, 0);
    call.metric = &table;
    call.metric_self = self;
    store.log(LogOrigin::validation_step, call);
  };
  MetricStore store(false);
  log(store, 0, &shared);
  log(store, 0, &shared, "the same under another name");
  log(store, 1, &other);
  CHECK_THROWS_WITH(log(store, 1, &shared, "pooled"), ContainsSubstring("log(\"pooled\")") &&
                                                          ContainsSubstring("for dataloader 0 and for dataloader 1") &&
                                                          ContainsSubstring("one object for each dataloader"));
  store.reset();
  log(store, 1, &shared);  // of another validation
  log(store, -1, &shared, "of all");
}
