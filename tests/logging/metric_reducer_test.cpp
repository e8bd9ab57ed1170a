// Logged values of several processes, reduced as Lightning does it. The expected values were computed by hand.
#include "core/logging/reduction/metric_reducer.hpp"

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <cstring>
#include <map>

#include "catch.hpp"
#include "core/abi/tensor_handle.hpp"
#include "tests/logging/log_call.hpp"
#include "tests/logging/several_processes.hpp"

using namespace levin::core;

namespace {

using Seen = std::map<std::string, double>;

Seen seen(const MetricStore& store, MetricSet set = MetricSet::callback) {
  Seen out;
  store.visit(set, [&](const std::string& name, double value) { out[name] = value; });
  return out;
}

void log(MetricStore& store, const char* name, double value, const char* reduce, bool sync, int64_t rows = 1) {
  store.set_batch(rows, -1);
  levin_log l = log_call(name, value, 0, 1);
  l.reduce_fx = reduce;
  l.sync_dist = sync;
  store.log(LogOrigin::validation_step, l);
}

// Checks that all processes have the same values, and returns them.
Seen same(const std::vector<Seen>& all) {
  for (const Seen& theirs : all) CHECK(theirs == all[0]);
  return all[0];
}

// A metric that keeps its samples; its value depends on their order.
struct Samples {
  at::Tensor kept = at::empty({0}, at::kDouble);
  double batch = 0;  // value of the current batch, if the metric has one
  levin_metric table{};
  Samples() {
    table.o.size = sizeof table;
    table.state = [](void* self, const levin_metric_state* v) -> levin_status {
      return v->tensor(v, "samples", borrow(of(self).kept), LEVIN_REDUCE_CAT);
    };
    table.o.load = [](void* self, const levin_reader* reader) -> levin_status {
      levin_tensor* given = nullptr;
      if (reader->get_tensor(reader, "samples", &given) != LEVIN_OK) return LEVIN_E_NOT_FOUND;
      of(self).kept = at::cat({of(self).kept, retain(given)});
      return LEVIN_OK;
    };
    table.compute = [](void* self, double* out) -> levin_status {
      *out = 0;
      const double* data = of(self).kept.data_ptr<double>();
      for (int64_t i = 0; i < of(self).kept.numel(); ++i) *out = *out * 10 + data[i];
      return LEVIN_OK;
    };
    table.reset = [](void* self) -> levin_status {
      of(self).kept = at::empty({0}, at::kDouble);
      of(self).batch = std::nan("");
      return LEVIN_OK;
    };
  }
  static Samples& of(void* self) { return *static_cast<Samples*>(self); }
  void log_in(MetricStore& store, const char* name, const std::vector<double>& more,
              LogOrigin origin = LogOrigin::validation_step, const std::vector<int>& ranks = {}) {
    if (!more.empty()) kept = at::cat({kept, at::tensor(more, at::kDouble)});
    store.set_batch(1, -1);
    levin_log l = log_call(name, 0, 0, 1);
    l.metric = &table;
    l.metric_self = this;
    store.log(origin, l, ranks);
  }
};

}  // namespace

TEST_CASE("the value of an epoch is reduced over processes, its mean weighted by all rows") {
  const auto all = in_processes<Seen>(2, [](int rank, ProcessGroup& group) {
    MetricStore store(false);
    MetricReducer reducer(group);
    for (const char* reduce : {"mean", "sum", "min", "max"})
      for (int batch = 0; batch < 2 - rank; ++batch)  // rank 0: 1 and 2 with one row each; rank 1: 6 with two rows
        log(store, reduce, rank == 0 ? batch + 1 : 6, reduce, true, rank + 1);
    log(store, "own", 10 + rank, "mean", false);
    store.reach_end();
    reducer.reduce_epoch(store, nullptr);
    return seen(store);
  });
  CHECK(same(all) == Seen{{"mean", 15.0 / 4}, {"sum", 9}, {"min", 1}, {"max", 6}, {"own", 10}});
}

TEST_CASE("a process without a batch sees what the others logged") {
  const auto all = in_processes<Seen>(3, [](int rank, ProcessGroup& group) {
    MetricStore store(false);
    MetricReducer reducer(group);
    if (rank < 2) log(store, "loss", rank, nullptr, true);
    if (rank == 1) log(store, "seldom", 7, nullptr, false);
    store.reach_end();
    reducer.reduce_epoch(store, nullptr);
    const Seen first = seen(store);
    store.reset();  // the second evaluation logs no value
    store.reach_end();
    reducer.reduce_epoch(store, nullptr);
    must(seen(store).empty(), "the second evaluation has nothing");
    return first;
  });
  CHECK(same(all) == Seen{{"loss", 0.5}, {"seldom", 7}});
}

TEST_CASE("a metric with a state has that of all processes, in the order of ranks, once") {
  const auto all = in_processes<Seen>(3, [](int rank, ProcessGroup& group) {
    MetricStore store(false);
    MetricReducer reducer(group);
    Samples samples;
    const std::vector<std::vector<double>> shares = {{1, 2, 3}, {4}, {}};
    for (int epoch = 0; epoch < 2; ++epoch) {
      if (rank < 2) samples.log_in(store, "m", shares[static_cast<size_t>(rank)]);
      store.reach_end();
      reducer.reduce_epoch(store, nullptr);
      // Logged under another name after the states are reduced.
      if (rank < 2) samples.log_in(store, "again", {}, origin_of_hook(LEVIN_HOOK_VALIDATION_EPOCH_END));
      reducer.reduce_epoch(store, nullptr);
      reducer.reduce_epoch(store, nullptr);
      if (epoch == 0) store.reset();
    }
    return seen(store);
  });
  CHECK(same(all) == Seen{{"again", 1234}, {"m", 1234}});
}

TEST_CASE("a state that is larger than a message reaches the others whole") {
  const auto all = in_processes<Seen>(2, [](int rank, ProcessGroup& group) {
    MetricStore store(false);
    MetricReducer reducer(group);
    Samples samples;
    samples.table.compute = [](void* self, double* out) -> levin_status {
      *out = Samples::of(self).kept.sum().item().toDouble();
      return LEVIN_OK;
    };
    samples.log_in(store, "m", std::vector<double>(rank == 0 ? 5000 : 3, 1.0));
    store.reach_end();
    reducer.reduce_epoch(store, nullptr);
    return seen(store);
  });
  CHECK(same(all) == Seen{{"m", 5003}});
}

TEST_CASE("values on the step are reduced after the batch, also where one process alone logs them") {
  const auto all = in_processes<std::vector<Seen>>(2, [](int rank, ProcessGroup& group) {
    MetricStore store(true);
    MetricReducer reducer(group);
    std::vector<Seen> batches;
    for (int batch = 0; batch < 4; ++batch) {
      store.set_batch(1, -1);
      for (const char* reduce : {"mean", "sum", "min", "max"}) {
        levin_log l = log_call(reduce, batch + 10 * rank, 1, 0);
        l.reduce_fx = reduce;
        l.sync_dist = 1;
        if (batch > 0) store.log(LogOrigin::training_step, l);
      }
      levin_log alone = log_call("alone", 5, 1, 0);
      alone.sync_dist = 1;
      if (batch > 1 && rank == 1) store.log(LogOrigin::training_step, alone);
      reducer.reduce_steps(store, /*in_any_case=*/batch == 2);
      batches.push_back(seen(store));
    }
    return batches;
  });
  const auto& first = all[0];
  CHECK(first[0].empty());
  CHECK(first[1] ==
        Seen{{"mean", 1}, {"sum", 1}, {"min", 1}, {"max", 1}});  // no process had them at the previous exchange
  CHECK(first[2] == Seen{{"mean", 7}, {"sum", 14}, {"min", 2}, {"max", 12}, {"alone", 5}});
  CHECK(first[3] == Seen{{"mean", 8}, {"sum", 16}, {"min", 3}, {"max", 13}, {"alone", 5}});
  CHECK(all[1][3] == first[3]);
}

TEST_CASE("the values of a batch cost one collective, whatever their reductions are") {
  const auto all =
      in_processes<std::vector<uint64_t>>(2, [](int rank, ProcessGroup& group, CollectiveLog& collective_log) {
        MetricStore store(true);
        MetricReducer reducer(group);
        std::vector<uint64_t> collectives;
        for (int batch = 0; batch < 4; ++batch) {
          const uint64_t before = collective_log.line("group 'test'", group.ranks())->begun;
          store.set_batch(1, -1);
          for (const char* reduce : {"mean", "sum", "min", "max"}) {
            levin_log l = log_call(reduce, rank, 1, 0);
            l.reduce_fx = reduce;
            l.sync_dist = 1;
            if (batch != 2 || rank == 1) store.log(LogOrigin::training_step, l);  // also if a process has no value
          }
          reducer.reduce_steps(store, true);
          collectives.push_back(collective_log.line("group 'test'", group.ranks())->begun - before);
        }
        return collectives;
      });
  for (const auto& theirs : all) {
    CHECK(theirs[0] > 1);  // the processes exchange the names of their values
    CHECK(std::vector<uint64_t>(theirs.begin() + 1, theirs.end()) == std::vector<uint64_t>(3, 1));
  }
}

TEST_CASE("any value of a step arrives with all its bits") {
  const double values[] = {-0.0, 5e-324, -1.7976931348623157e308, std::nan("7"), -INFINITY};
  const auto all = in_processes<std::vector<uint64_t>>(2, [&](int rank, ProcessGroup& group) {
    MetricStore store(true);
    MetricReducer reducer(group);
    std::vector<uint64_t> bits;
    for (const double value : values) {
      store.set_batch(1, -1);
      const at::Tensor tensor = at::scalar_tensor(value, at::kDouble);
      levin_log l = log_call("m", 0, 1, 0);
      l.tensor = borrow(tensor);
      l.reduce_fx = "max";
      l.sync_dist = 1;
      if (rank == 1) store.log(LogOrigin::training_step, l);
      reducer.reduce_steps(store, true);
      const double got = seen(store)["m"];
      bits.emplace_back();
      std::memcpy(&bits.back(), &got, sizeof got);
    }
    return bits;
  });
  for (const auto& theirs : all) CHECK(std::memcmp(theirs.data(), values, sizeof values) == 0);
}

TEST_CASE("what is told beside the metrics, and a value of the first process, reach all") {
  const auto all = in_processes<std::string>(2, [](int rank, ProcessGroup& group) {
    MetricStore store(false);
    MetricReducer reducer(group);
    std::string text;
    for (const nlohmann::json& theirs : reducer.reduce_epoch(store, rank)) text += theirs.dump();
    const auto value = reducer.of_first(rank == 0 ? std::optional<double>(3) : std::nullopt);
    const auto none = reducer.of_first(rank == 0 ? std::nullopt : std::optional<double>(4));
    return text + (value ? std::to_string(*value) : "") + (none ? "none is some" : "");
  });
  CHECK(all == std::vector<std::string>(2, "013.000000"));
}

TEST_CASE("a value may be reduced over some of the processes") {
  const auto all = in_processes<std::vector<double>>(3, [](int rank, ProcessGroup& group) {
    MetricStore store(true);
    MetricReducer reducer(group);
    store.set_batch(1, -1);
    levin_log l = log_call("m", rank * rank, 1, 1);
    l.sync_dist = 1;
    store.log(LogOrigin::training_step, l, rank == 1 ? std::vector<int>{1} : std::vector<int>{0, 2});
    reducer.reduce_steps(store, true);
    const double step = seen(store)["m_step"];
    store.reach_end();
    reducer.reduce_epoch(store, nullptr);
    return std::vector<double>{step, seen(store)["m_epoch"]};
  });
  CHECK(all == std::vector<std::vector<double>>{{2, 2}, {1, 1}, {2, 2}});
}

TEST_CASE("a metric with a state is that of a group's ranks, also for a process that is not one of them") {
  const auto all = in_processes<Seen>(3, [](int rank, ProcessGroup& group) {
    MetricStore store(false);
    MetricReducer reducer(group);
    Samples samples, own;
    samples.log_in(store, "m", {1.0 + rank}, LogOrigin::validation_step, {0, 2});
    own.log_in(store, "of one", {4.0 + rank}, LogOrigin::validation_step, {1});
    store.reach_end();
    reducer.reduce_epoch(store, nullptr);
    return seen(store);
  });
  CHECK(same(all) == Seen{{"m", 13}, {"of one", 5}});
}

TEST_CASE("a value that is reduced over some of the processes stays so when a run goes on") {
  const auto all = in_processes<std::vector<double>>(2, [](int rank, ProcessGroup& group) {
    MetricStore before(true), store(true);
    MetricReducer reducer(group);
    before.set_batch(1, -1);
    levin_log l = log_call("m", rank, 0, 1);
    l.sync_dist = 1;
    before.log(LogOrigin::training_step, l, {1});
    store.load_state_dict(before.state_dict(), before.metric_states());
    store.reach_end();
    reducer.reduce_epoch(store, nullptr);
    return std::vector<double>{seen(store)["m"]};
  });
  CHECK(all == std::vector<std::vector<double>>{{1}, {1}});
}

TEST_CASE("one process goes on with what several had of an epoch, also when it saves again before it logs") {
  struct Saved {
    nlohmann::json values;
    std::vector<StateBag> states;
  };
  const auto saved = [](double rank) {
    MetricStore store(false);
    Samples samples;
    log(store, "mean", rank, nullptr, true, 1 + static_cast<int64_t>(rank));
    log(store, "most", rank, "max", true);
    log(store, "own", rank, nullptr, false);
    samples.log_in(store, "m", {rank + 1});
    return Saved{store.state_dict(), store.metric_states()};
  };
  Saved first = saved(0);
  MetricStore before(false), store(false);
  before.load_state_dict(first.values, first.states);
  for (const double rank : {1, 2}) {
    Saved theirs = saved(rank);
    before.take_over(theirs.values, theirs.states);
  }
  store.load_state_dict(before.state_dict(), before.metric_states());
  Samples samples;
  samples.log_in(store, "m", {4});
  store.reach_end();
  CHECK(seen(store) == Seen{{"mean", static_cast<float>(8.0 / 6)}, {"most", 2}, {"own", 0}, {"m", 4123}});
}

TEST_CASE("a state that goes on from a checkpoint counts in all processes, whether its metric is logged again or not") {
  for (const int again : {0, 1, 3}) {  // number of processes, of three, that log it again
    const auto all = in_processes<Seen>(3, [again](int rank, ProcessGroup& group) {
      MetricStore first(false), second(false);
      MetricReducer reducer(group);
      Samples samples, later;
      samples.log_in(first, "metric", {1.0 + rank});
      reducer.note_states(first);
      must(samples.kept.numel() == 1, "a process keeps its own part");
      const nlohmann::json state = first.state_dict();
      second.load_state_dict(state, first.metric_states());
      if (rank < again) later.log_in(second, "metric", {7.0 + rank});
      second.reach_end();
      reducer.reduce_epoch(second, nullptr);
      return seen(second);
    });
    const double expected[] = {123, 7123, 0, 718293};
    CHECK(same(all) == Seen{{"metric", expected[again]}});
  }
}

TEST_CASE("the value of a step that was not yet reduced is reduced after a checkpoint") {
  const auto all = in_processes<Seen>(2, [](int rank, ProcessGroup& group) {
    MetricStore first(true), second(true);
    first.set_batch(1, -1);
    levin_log l = log_call("sum", 1.0 + rank, 1, 1);
    l.reduce_fx = "sum";
    l.sync_dist = 1;
    first.log(LogOrigin::training_step, l);
    second.load_state_dict(first.state_dict(), first.metric_states());
    MetricReducer(group).reduce_steps(second, true);
    return seen(second);
  });
  CHECK(same(all) == Seen{{"sum", 3}, {"sum_step", 3}});
}

TEST_CASE("a process that has not logged a metric has no part in it after a checkpoint either") {
  const auto all = in_processes<std::vector<Seen>>(2, [](int rank, ProcessGroup& group) {
    MetricStore first(true), second(true);
    MetricReducer before(group), after(group);
    first.set_batch(1, -1);
    for (const char* reduce : {"mean", "sum", "min", "max"})
      for (const double sign : {-1, 1}) {
        const std::string name = std::string(reduce) + (sign < 0 ? " below" : " above");
        levin_log l = log_call(name.c_str(), 5 * sign, 1, 1);
        l.reduce_fx = reduce;
        l.sync_dist = 1;
        if (rank == 0) first.log(LogOrigin::training_step, l);
      }
    before.reduce_steps(first, true);
    second.load_state_dict(first.state_dict(), first.metric_states());
    after.reduce_steps(second, true);
    const Seen step = seen(second);
    second.reach_end();
    after.reduce_epoch(second, nullptr);
    return std::vector<Seen>{step, seen(second)};
  });
  for (const std::vector<Seen>& theirs : all)
    for (const Seen& values : theirs) {
      CHECK_FALSE(values.empty());
      for (const auto& [name, value] : values) CHECK(value == (name.find("below") != std::string::npos ? -5 : 5));
    }
}

TEST_CASE("the value of a step stays what it was over all processes when a run goes on") {
  const auto all = in_processes<std::vector<double>>(2, [](int rank, ProcessGroup& group) {
    MetricStore first(true), second(true);
    MetricReducer before(group), after(group);
    const auto log_in = [](MetricStore& store, double value) {
      store.set_batch(1, -1);
      levin_log l = log_call("seldom", value, 1, 1);
      l.sync_dist = 1;
      store.log(LogOrigin::training_step, l);
    };
    for (int batch = 0; batch < 2; ++batch) {  // one process per batch
      if (rank == batch) log_in(first, 1 + rank);
      before.reduce_steps(first, true);
    }
    second.load_state_dict(first.state_dict(), first.metric_states());
    after.reduce_steps(second, false);
    const double gone_on = seen(second)["seldom_step"];
    if (rank == 0) log_in(second, 8);
    after.reduce_steps(second, false);  // all processes know that the values exist
    return std::vector<double>{gone_on, seen(second)["seldom_step"]};
  });
  CHECK(all == std::vector<std::vector<double>>{{2, 8}, {2, 8}});
}

TEST_CASE("processes that log the same name in different ways go by the first one") {
  struct Way {
    const char* reduce;
    bool sync;
  };
  struct Case {
    Way first, second;
    double value;
  };
  const Case cases[] = {
      {{"max", true}, {"mean", true}, 3}, {{"sum", true}, {"min", false}, 4}, {{"mean", false}, {"max", true}, 1}};
  for (const Case& c : cases) {
    const auto all = in_processes<Seen>(2, [c](int rank, ProcessGroup& group) {
      MetricStore store(false);
      MetricReducer reducer(group);
      const Way way = rank == 0 ? c.first : c.second;
      log(store, "m", rank == 0 ? 1 : 3, way.reduce, way.sync);
      store.reach_end();
      reducer.reduce_epoch(store, nullptr);
      return seen(store);
    });
    CHECK(same(all) == Seen{{"m", c.value}});
  }
}

TEST_CASE("a checkpoint changes no value of a step, and no value is taken for a new one") {
  const auto all = in_processes<Seen>(2, [](int rank, ProcessGroup& group) {
    MetricStore store(true);
    Samples samples;
    samples.table.compute_step = [](void* self, double* out) -> levin_status {
      *out = Samples::of(self).batch;
      return LEVIN_OK;
    };
    samples.kept = at::tensor({3.0 + rank}, at::kDouble);
    samples.batch = 5 + rank;
    store.set_batch(1, -1);
    for (const char* name : {"one", "other"}) {
      levin_log l = log_call(name, 0, 1, 1);
      l.metric = &samples.table;
      l.metric_self = &samples;
      store.log(LogOrigin::training_step, l);
    }
    store.take_changed();
    MetricReducer(group).note_states(store);
    must(!store.take_changed(), "nothing was logged since");
    return seen(store);
  });
  for (const double rank : {0, 1})
    CHECK(all[static_cast<size_t>(rank)] ==
          Seen{{"one", 5 + rank}, {"one_step", 5 + rank}, {"other", 5 + rank}, {"other_step", 5 + rank}});
}

TEST_CASE("the least and the greatest value are NaN if one is, whatever the order of batches and processes") {
  for (const int bad : {0, 1}) {
    const auto all = in_processes<Seen>(2, [bad](int rank, ProcessGroup& group) {
      MetricStore store(false);
      for (const char* reduce : {"min", "max"}) {
        log(store, (std::string("processes ") + reduce).c_str(), rank == bad ? std::nan("") : 1, reduce, true);
        for (const int batch : {0, 1})
          log(store, (std::string("batches ") + reduce).c_str(), batch == bad ? std::nan("") : 1, reduce, true);
      }
      store.reach_end();
      MetricReducer(group).reduce_epoch(store, nullptr);
      return seen(store);
    });
    for (const Seen& theirs : all) {
      CHECK(theirs.size() == 4);
      for (const auto& [name, value] : theirs) {
        INFO(name << ", NaN in " << bad);
        CHECK(std::isnan(value));
      }
    }
  }
}
