// Expected values: sklearn.metrics and torchmetrics on the same numbers.
#include "levin/metrics.hpp"

#include <ATen/record_function.h>

#include <cstring>

#include "catch.hpp"
#include "levin/testing.hpp"

using namespace levin::metrics;

namespace {

at::Tensor classes(std::vector<int64_t> values) { return at::tensor(values, at::kLong); }
at::Tensor numbers(std::vector<double> values) { return at::tensor(values, at::kDouble); }

// The same samples in batches of different sizes.
template <class M>
double in_batches(M metric, const at::Tensor& prediction, const at::Tensor& target, std::vector<int64_t> sizes) {
  int64_t at = 0;
  for (const int64_t n : sizes) {
    metric.update(prediction.narrow(0, at, n), target.narrow(0, at, n));
    at += n;
  }
  return metric.compute();
}

const at::Tensor target = classes({0, 1, 2, 2, 1, 0, 2});
const at::Tensor predicted = classes({0, 2, 2, 2, 1, 1, 0});
ClassificationOptions macro(int64_t n) { return {n, Average::macro, 1, -100}; }

// Calls of at::cat while it lives, on this thread.
class CountCats {
 public:
  CountCats() {
    calls() = 0;
    const auto begin = [](const at::RecordFunction& f) -> std::unique_ptr<at::ObserverContext> {
      if (std::strcmp(f.name(), "aten::cat") == 0) ++calls();
      return nullptr;
    };
    handle_ = at::addThreadLocalCallback(at::RecordFunctionCallback(begin));
  }
  ~CountCats() { at::removeCallback(handle_); }
  static int& calls() {
    static int n = 0;
    return n;
  }

 private:
  at::CallbackHandle handle_;
};

// Counts how often it is asked.
struct Asked : Metric {
  Asked() : Metric({{"n", LEVIN_REDUCE_SUM, {}}}) {}
  at::Tensor value() const override { return ++times, at::full({}, 5.0, at::kDouble); }
  mutable int times = 0;
};

}  // namespace

TEST_CASE("metrics of classes have their reference values, however the batches are cut") {
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{7}, {3, 3, 1}, {1, 5, 1}}) {
    CHECK(in_batches(Accuracy(3), predicted, target, sizes) == Approx(4.0 / 7));
    CHECK(in_batches(Accuracy(macro(3)), predicted, target, sizes) == Approx(0.5555555556));
    CHECK(in_batches(Precision(macro(3)), predicted, target, sizes) == Approx(0.5555555556));
    CHECK(in_batches(Recall(macro(3)), predicted, target, sizes) == Approx(0.5555555556));
    CHECK(in_batches(F1Score(macro(3)), predicted, target, sizes) == Approx(0.5555555556));
    CHECK(in_batches(F1Score(3), predicted, target, sizes) == Approx(4.0 / 7));
  }
}

TEST_CASE("precision and recall differ where the classes do") {
  const at::Tensor t = classes({0, 0, 0, 1}), p = classes({0, 1, 1, 1});
  CHECK(in_batches(Precision(macro(2)), p, t, {4}) == Approx((1.0 + 1.0 / 3) / 2));
  CHECK(in_batches(Recall(macro(2)), p, t, {4}) == Approx((1.0 / 3 + 1.0) / 2));
  CHECK(in_batches(F1Score(macro(2)), p, t, {4}) == Approx((0.5 + 0.5) / 2));
}

TEST_CASE("a weighted average counts each class as often as it was seen") {
  const at::Tensor t = classes({0, 0, 0, 1}), p = classes({0, 1, 1, 1});
  const auto weighted = [](int64_t n) { return ClassificationOptions{n, Average::weighted}; };
  CHECK(in_batches(Accuracy(weighted(2)), p, t, {3, 1}) == Approx(0.5));
  CHECK(in_batches(Precision(weighted(2)), p, t, {3, 1}) == Approx((3 * 1.0 + 1 * (1.0 / 3)) / 4));
  CHECK(in_batches(Recall(weighted(2)), p, t, {3, 1}) == Approx((3 * (1.0 / 3) + 1 * 1.0) / 4));
  CHECK(in_batches(F1Score(weighted(2)), p, t, {3, 1}) == Approx(0.5));
  // Classes 0, 1, 2, seen 2, 2, 3 times: precision 1, 1/3, 2/3, F1 2/3, 2/5, 2/3. A class that is never seen has no
  // weight.
  const at::Tensor three = classes({0, 2, 2, 2, 1, 1, 1});
  for (const int64_t n : {3, 4}) {
    CHECK(in_batches(Precision(weighted(n)), three, target, {7}) == Approx((2 * 1.0 + 2.0 / 3 + 3 * 2.0 / 3) / 7));
    CHECK(in_batches(F1Score(weighted(n)), three, target, {7}) == Approx((2 * 2.0 / 3 + 2 * 0.4 + 3 * 2.0 / 3) / 7));
  }
}

TEST_CASE("a binary metric is the second class's, the accuracy that of all") {
  // tp 1, fp 2, fn 0, tn 1
  const at::Tensor t = classes({0, 0, 0, 1}), p = classes({0, 1, 1, 1});
  CHECK(in_batches(Accuracy(binary()), p, t, {1, 3}) == Approx(0.5));
  CHECK(in_batches(Precision(binary()), p, t, {1, 3}) == Approx(1.0 / 3));
  CHECK(in_batches(Recall(binary()), p, t, {1, 3}) == Approx(1.0));
  CHECK(in_batches(F1Score(binary()), p, t, {1, 3}) == Approx(0.5));
  const at::Tensor none = classes({0, 0});
  CHECK(in_batches(Accuracy(binary()), none, none, {2}) == 1);
  CHECK(in_batches(Precision(binary()), none, none, {2}) == 0);
  CHECK(in_batches(Recall(binary()), none, none, {2}) == 0);
  CHECK(in_batches(F1Score(binary()), none, none, {2}) == 0);
}

TEST_CASE("scores of the second class are held against the threshold, logits as their probabilities") {
  const at::Tensor t = classes({0, 1, 0, 1, 0}), scores = numbers({0.1, 0.35, 0.4, 0.8, 0.55});
  for (const at::Tensor& s : {scores, scores.logit(), scores.view({5, 1}), scores.logit().view({5, 1})}) {
    // 0.5: predicted 0 0 0 1 1; 0.3: predicted 0 1 1 1 1
    CHECK(in_batches(Accuracy(binary()), s, t, {5}) == Approx(0.6));
    CHECK(in_batches(Precision(binary()), s, t, {5}) == Approx(0.5));
    CHECK(in_batches(Recall(binary()), s, t, {5}) == Approx(0.5));
    CHECK(in_batches(Precision(binary(0.3)), s, t, {5}) == Approx(0.5));
    CHECK(in_batches(Recall(binary(0.3)), s, t, {5}) == Approx(1.0));
    CHECK(in_batches(F1Score(binary(0.3)), s, t, {5}) == Approx(2.0 / 3));
  }
  CHECK(in_batches(Accuracy(2), numbers({0.5, 0.51}), classes({0, 1}), {2}) == 1);
}

TEST_CASE("options that no metric of classes can have are refused") {
  CHECK_THROWS_WITH(Precision(ClassificationOptions{3, Average::binary}), ContainsSubstring("two classes"));
  CHECK_THROWS_WITH(Precision(ClassificationOptions{2, Average::binary, 2}), ContainsSubstring("top_k 2"));
  CHECK_THROWS_WITH(Precision(binary(1.5)), ContainsSubstring("from 0 to 1, not 1.5"));
  CHECK_THROWS_WITH(Precision(binary(std::nan(""))), ContainsSubstring("threshold"));
}

TEST_CASE("the confusion matrix has targets in rows") {
  ConfusionMatrix m(3);
  m.update(predicted, target);
  CHECK(m.matrix().equal(classes({1, 1, 0, 0, 1, 1, 1, 0, 2}).view({3, 3})));
}

TEST_CASE("the confusion matrix as parts of its rows, its columns, the whole") {
  ConfusionMatrix m(4);
  CHECK_FALSE(m.matrix(Normalize::target).defined());
  m.update(predicted, target);
  const at::Tensor counts = numbers({1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 2, 0, 0, 0, 0, 0}).view({4, 4});
  // The fourth class was never seen and never predicted: 0, not 0 / 0.
  CHECK(m.matrix(Normalize::target).allclose(counts / numbers({2, 2, 3, 1}).view({4, 1})));
  CHECK(m.matrix(Normalize::prediction).allclose(counts / numbers({2, 2, 3, 1})));
  CHECK(m.matrix(Normalize::all).allclose(counts / 7));
  CHECK(m.matrix(Normalize::none).equal(counts.to(at::kLong)));
}

TEST_CASE("a class that neither is nor was predicted does not count in a macro average") {
  CHECK(in_batches(Accuracy(macro(4)), predicted, target, {7}) == Approx(0.5555555556));
}

TEST_CASE("targets to be ignored are left out") {
  Accuracy a(ClassificationOptions{3, Average::micro, 1, 2});
  a.update(predicted, target);
  CHECK(a.compute() == Approx(0.5));
  for (const Average average : {Average::micro, Average::macro, Average::weighted}) {
    F1Score none(ClassificationOptions{3, average, 1, 2});
    none.update(classes({0, 1}), classes({2, 2}));
    CHECK(none.compute() == 0);
  }
}

TEST_CASE("scores count by their greatest, or by the k greatest") {
  const at::Tensor scores = numbers({0.1, 0.9, 0.0, 0.31, 0.29, 0.4, 0.6, 0.3, 0.1}).view({3, 3});
  const at::Tensor t = classes({1, 0, 1});
  CHECK(in_batches(Accuracy(3), scores, t, {2, 1}) == Approx(1.0 / 3));
  CHECK(in_batches(Accuracy(ClassificationOptions{3, Average::micro, 2, -100}), scores, t, {2, 1}) == Approx(1.0));
  Accuracy two(2);
  two.update(numbers({0.2, 0.7, 0.6}), classes({0, 1, 0}));
  CHECK(two.compute() == Approx(2.0 / 3));
}

TEST_CASE("the area under the curve counts ties half") {
  AUROC a;
  a.update(numbers({0.1, 0.4}), classes({0, 0}));
  a.update(numbers({0.35, 0.8}), classes({1, 1}));
  CHECK(a.compute() == Approx(0.75));
  AUROC ties;
  ties.update(numbers({0.5, 0.5, 0.5}), classes({0, 1, 0}));
  CHECK(ties.compute() == Approx(0.5));
}

TEST_CASE("the area under the curve of samples of one class is 0") {
  for (const int64_t only : {0, 1}) {
    AUROC a;
    a.update(numbers({0.1, 0.9}), classes({only, only}));
    CHECK(a.compute() == 0);
    a.update(numbers({only == 1 ? 0.0 : 1.0}), classes({1 - only}));
    CHECK(a.compute() == 1);
  }
  AUROC three(3);
  three.update(numbers({0.7, 0.2, 0.1, 0.2, 0.5, 0.3}).view({2, 3}), classes({1, 1}));
  CHECK(three.compute() == 0);
  CHECK(std::isnan(AUROC().compute()));
}

TEST_CASE("scores are put together when they are read, not batch by batch") {
  AUROC a;
  {
    const CountCats cats;
    for (int i = 0; i < 50; ++i) a.update(numbers({0.1, 0.35}), classes({0, 1}));
    CHECK(cats.calls() == 0);
    CHECK(a.compute() == Approx(1));
    CHECK(cats.calls() == 2);
    CHECK(a.compute() == Approx(1));
    CHECK(cats.calls() == 2);
  }
  a.update(numbers({0.4, 0.05}), classes({0, 1}));
  CHECK(a.states()[0].tensor.size(0) == 102);
  CHECK(a.states()[1].tensor.size(0) == 102);
  CHECK(a.compute() == Approx(1 - (51.0 + 50.0) / (51 * 51)));
  a.reset();
  CHECK(std::isnan(a.compute()));
  CHECK_FALSE(a.states()[0].tensor.defined());
}

TEST_CASE("scores are kept apart from the memory of their batch, and from inference mode") {
  AUROC a;
  const at::Tensor scores = numbers({0.1, 0.9}), truth = classes({0, 1});
  a.update(scores, truth);
  scores.fill_(0.5);
  truth.fill_(0);
  {
    const c10::InferenceMode inference;
    a.update(numbers({0.2, 0.8}), classes({0, 1}));
  }
  a.update(numbers({0.3, 0.7}), classes({0, 1}));
  CHECK(a.compute() == Approx(1));
}

TEST_CASE("the area of several classes is the mean of each against the rest") {
  AUROC a(3);
  a.update(numbers({0.7, 0.2, 0.1, 0.2, 0.5, 0.3, 0.3, 0.3, 0.4, 0.6, 0.3, 0.1}).view({4, 3}), classes({0, 1, 2, 1}));
  CHECK(a.compute() == Approx((1.0 + 0.875 + 1.0) / 3));
}

TEST_CASE("errors of numbers are those of all samples") {
  const at::Tensor t = numbers({1, 2, 3, 4, 5}), p = numbers({1.5, 2, 2, 4, 8});
  CHECK(in_batches(MeanSquaredError(), p, t, {2, 3}) == Approx(2.05));
  CHECK(in_batches(MeanSquaredError(true), p, t, {4, 1}) == Approx(std::sqrt(2.05)));
  CHECK(in_batches(MeanAbsoluteError(), p, t, {1, 4}) == Approx(0.9));
}

TEST_CASE("aggregates weight, and start again when they are reset") {
  Mean mean;
  CHECK(std::isnan(mean.compute()));
  mean.update(1.0, 3);
  mean.update(5.0, 1);
  CHECK(mean.compute() == Approx(2));
  mean.reset();
  mean.update(7.0);
  CHECK(mean.compute() == Approx(7));
  Sum sum;
  Min least;
  Max most;
  for (const double v : {2.0, -1.0, 4.0}) sum.update(v), least.update(v), most.update(v);
  CHECK(sum.compute() == Approx(5));
  CHECK(least.compute() == Approx(-1));
  CHECK(most.compute() == Approx(4));
}

TEST_CASE("the trainer reaches state, value and reset through the table") {
  Accuracy a(3);
  a.update(predicted, target);
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
  static levin_log seen;
  seen = {};
  static const levin_trainer trainer = [] {
    levin_trainer t{};
    t.size = sizeof t;
    t.log = [](levin_run*, const levin_log* l) -> levin_status { return seen = *l, LEVIN_OK; };
    return t;
  }();
  levin::testing::FakeHost fake;
  levin_host host = *fake.raw();
  host.service = [](const levin_host*, const char* id) -> const void* {
    return std::strcmp(id, "levin.trainer/1") == 0 ? &trainer : nullptr;
  };
  levin::detail::creating() = {&host, nullptr};
  levin::Model model;
  levin::detail::creating() = {};
  Asked metric;
  for (const levin::LogOptions& options : {levin::LogOptions{}, levin::on_step | levin::on_epoch}) {
    log(model, "val_asked", metric, options);
    CHECK(metric.times == 0);
    CHECK(seen.tensor == nullptr);
    CHECK(seen.on_step == options.on_step);
    CHECK(seen.metric_self == &metric);
  }
  double value = 0;
  REQUIRE(seen.metric->compute(seen.metric_self, &value) == LEVIN_OK);
  CHECK(value == 5);
  CHECK(metric.times == 1);
}

TEST_CASE("metrics by name are kept apart by stage and loader") {
  MetricSet set("f1, auroc", 2);
  const at::Tensor scores = numbers({0.9, 0.1, 0.2, 0.8}).view({2, 2});
  std::map<std::string, double> seen;
  const auto keep = [&](const char* name, Metric& metric) { seen[name] = metric.compute(); };
  set.update("val_", 0, scores, classes({0, 1}), keep);
  CHECK(seen == std::map<std::string, double>{{"val_f1", 1.0}, {"val_auroc", 1.0}});
  set.update("val_", 1, scores, classes({1, 0}), keep);
  CHECK(seen["val_f1"] == 0);
  CHECK_THROWS_WITH(MetricSet("f2", 2), ContainsSubstring("'f2'") && ContainsSubstring("macro_accuracy"));
}
