// The calls between a metric and the trainer.
#include "levin/model.hpp"
#include "samples.hpp"

#include <cmath>
#include <cstring>
#include <map>

#include "catch.hpp"
#include "levin/testing.hpp"

using namespace levin::metrics;

namespace {

// Counts the calls of value().
struct Asked : Metric {
  Asked() : Metric({{"n", LEVIN_REDUCE_SUM, {}}}) {}
  at::Tensor value() const override { return ++times, at::full({}, 5.0, at::kDouble); }
  mutable int times = 0;
};

// A model whose trainer keeps the last log call.
struct Logging {
  levin_log last{};
  std::unique_ptr<levin::Model> model;
  Logging() {
    static levin_log* seen = nullptr;
    static const levin_trainer trainer = [] {
      levin_trainer t{};
      t.size = sizeof t;
      t.log = [](levin_run*, const levin_log* l) -> levin_status { return *seen = *l, LEVIN_OK; };
      return t;
    }();
    seen = &last;
    host_ = *fake_.raw();
    host_.service = [](const levin_host*, const char* id) -> const void* {
      return std::strcmp(id, "levin.trainer/1") == 0 ? &trainer : nullptr;
    };
    levin::detail::creating() = {&host_, nullptr};
    model = std::make_unique<levin::Model>();
    levin::detail::creating() = {};
  }

 private:
  levin::testing::FakeHost fake_;
  levin_host host_;
};

// Logs the metric and returns the value that the trainer would show for the batch.
double logged(Logging& run, Metric& metric, const levin::LogOptions& options = levin::on_step | levin::on_epoch) {
  log(*run.model, "m", metric, options);
  double value = -1;
  REQUIRE(LEVIN_HAS(levin_metric, run.last.metric, compute_step));
  REQUIRE(run.last.metric->compute_step(run.last.metric_self, &value) == LEVIN_OK);
  return value;
}

// Restores saved tensors.
void load(Metric& metric, const std::map<std::string, at::Tensor>& saved) {
  levin_reader reader{};
  reader.size = sizeof reader;
  reader.ctx = const_cast<std::map<std::string, at::Tensor>*>(&saved);
  reader.get_tensor = [](const levin_reader* r, const char* key, levin_tensor** out) -> levin_status {
    const auto& tensors = *static_cast<const std::map<std::string, at::Tensor>*>(r->ctx);
    const auto found = tensors.find(key);
    if (found == tensors.end()) return LEVIN_E_NOT_FOUND;
    *out = reinterpret_cast<levin_tensor*>(at::Tensor(found->second).unsafeReleaseTensorImpl());
    return LEVIN_OK;
  };
  REQUIRE(metric.table().o.load(&metric, &reader) == LEVIN_OK);
}

}  // namespace

TEST_CASE("the trainer reaches state, value and reset through the table") {
  Accuracy a(3);
  a.update(classes({0, 2, 2, 2, 1, 1, 0}), classes({0, 1, 2, 2, 1, 0, 2}));
  const levin_metric& table = a.table();
  double value = 0;
  REQUIRE(table.compute(&a, &value) == LEVIN_OK);
  CHECK(value == Approx(4.0 / 7));
  std::vector<std::string> seen;
  const levin_metric_state visitor{
      sizeof visitor, 0, &seen, [](const levin_metric_state* v, const char* name, levin_tensor*, uint32_t reduce) {
        static_cast<std::vector<std::string>*>(v->ctx)->push_back(std::string(name) +
                                                                  (reduce == LEVIN_REDUCE_SUM ? " sum" : ""));
        return levin_status{LEVIN_OK};
      }};
  table.state(&a, &visitor);
  CHECK(seen == std::vector<std::string>{"confusion sum"});
  table.reset(&a);
  CHECK(std::isnan(a.compute()));
}

TEST_CASE("to log a metric asks it for nothing; the trainer asks when it needs the value") {
  Logging run;
  Asked metric;
  for (const levin::LogOptions& options : {levin::LogOptions{}, levin::on_step | levin::on_epoch}) {
    log(*run.model, "val_asked", metric, options);
    CHECK(metric.times == 0);
    CHECK(run.last.tensor == nullptr);
    CHECK(run.last.on_step == options.on_step);
    CHECK(run.last.metric_self == &metric);
  }
  double value = 0;
  REQUIRE(run.last.metric->compute(run.last.metric_self, &value) == LEVIN_OK);
  CHECK(value == 5);
  CHECK(metric.times == 1);
}

TEST_CASE("the value of the step is that of the batch, the value of the epoch that of all batches") {
  Logging run;
  Sum sum;
  Max most;
  AUROC area;
  struct Batch {
    double sum, most, area;
  };
  for (const Batch& b : {Batch{3, 3, 1}, {1, 1, 0}, {2, 2, 0.5}}) {
    sum.update(b.sum - 1), sum.update(1.0);  // in two updates
    most.update(b.most);
    area.update(numbers({0.5, b.area}), classes({0, 1}));
    CHECK(logged(run, sum) == b.sum);
    CHECK(logged(run, most) == b.most);
    CHECK(logged(run, area) == b.area);
    CHECK(logged(run, sum) == b.sum);  // no update since
  }
  CHECK(sum.compute() == 6);
  CHECK(most.compute() == 3);
  CHECK(area.compute() == Approx(0.5));
}

TEST_CASE("an epoch's first batch is the first of its step values") {
  Logging run;
  Mean mean;
  for (const double epoch : {0.0, 10.0}) {
    for (const double value : {1.0, 3.0}) {
      mean.update(epoch + value);
      CHECK(logged(run, mean) == epoch + value);
    }
    CHECK(mean.compute() == epoch + 2);
    mean.reset();
  }
  CHECK(std::isnan(logged(run, mean)));
}

TEST_CASE("a metric that is logged now and then shows what came in since") {
  Logging run;
  Sum sum;
  for (int i = 1; i <= 6; ++i) {
    sum.update(i);
    if (i % 3 == 0) CHECK(logged(run, sum) == (i == 3 ? 1 + 2 + 3 : 4 + 5 + 6));
  }
  CHECK(sum.compute() == 21);
}

TEST_CASE("a metric that was never logged on the step keeps no batch apart") {
  Logging run;
  Sum sum;
  for (const double value : {1.0, 2.0}) {
    sum.update(value);
    CHECK(logged(run, sum, levin::on_epoch | levin::not_on_step) == sum.compute());
  }
}

TEST_CASE("what a metric gets back of an epoch is no part of the batch") {
  Logging run;
  Sum sum;
  AUROC area;
  sum.update(2.0);
  area.update(numbers({0.1, 0.9}), classes({0, 1}));
  log(*run.model, "sum", sum, levin::on_step);
  log(*run.model, "area", area, levin::on_step);
  load(sum, {{"sum", numbers({5}).squeeze()}});
  load(area, {{"preds", numbers({0.2, 0.05})}, {"target", classes({0, 1})}});
  CHECK(sum.compute_step() == 2);
  CHECK(area.compute_step() == 1);
  CHECK(sum.compute() == 7);
  CHECK(area.compute() == Approx(0.5));
  sum.update(4.0);
  CHECK(logged(run, sum) == 4);
  CHECK(sum.compute() == 11);
}

TEST_CASE("a state that came back on the CPU goes on where the next batch is") {
  struct Sums : Metric {
    Sums() : Metric({{"sum", LEVIN_REDUCE_SUM, {}}, {"most", LEVIN_REDUCE_MAX, {}}, {"all", LEVIN_REDUCE_CAT, {}}}) {}
    void update(const at::Tensor& values) {
      for (size_t i = 0; i < 3; ++i) merge(i, values);
    }
    at::Tensor value() const override { return nothing(); }
  };
  Sums metric;
  load(metric, {{"sum", at::ones({2})}, {"most", at::ones({2})}, {"all", at::ones({2})}});
  metric.update(at::ones({2}, at::kMeta));  // like a GPU, meta tensors cannot be combined with CPU tensors
  for (const Metric::State& state : metric.states()) {
    INFO(state.name);
    CHECK(state.tensor.device().is_meta());
  }
  CHECK(metric.states()[2].tensor.numel() == 4);
}
