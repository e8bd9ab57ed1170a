// Values of named metrics are compared in tests/sdk/reference.
#include "samples.hpp"

#include <cmath>

#include "catch.hpp"

using namespace levin::metrics;

namespace {

double value_of(const std::string& metric, const MetricInputs& inputs, const at::Tensor& prediction,
                const at::Tensor& target) {
  const NamedMetric named = named_metric(chosen_metrics(metric, inputs.classes > 0).at(0), inputs);
  named.update(prediction, target);
  return named.metric->compute();
}

const at::Tensor two_scores = numbers({0.9, 0.1, 0.2, 0.8, 0.6, 0.4}).view({3, 2});

}  // namespace

TEST_CASE("metrics by name are kept apart by stage and loader") {
  MetricSet set("f1:macro auroc,accuracy:0.3", {2});
  const at::Tensor scores = numbers({0.9, 0.1, 0.2, 0.8}).view({2, 2});
  std::map<std::string, double> seen;
  const auto keep = [&](const char* name, Metric& metric) { seen[name] = metric.compute(); };
  set.update("val_", 0, scores, classes({0, 1}), keep);
  CHECK(seen == std::map<std::string, double>{{"val_f1_macro", 1.0}, {"val_auroc", 1.0}, {"val_accuracy_0.3", 1.0}});
  set.update("val_", 1, scores, classes({1, 0}), keep);
  CHECK(seen["val_f1_macro"] == 0);
}

TEST_CASE("arguments of a metric are a word, a top and numbers, in any order") {
  const MetricChoice choice = chosen_metrics("fbeta:0.5:weighted:0.3", true).at(0);
  CHECK(choice.word == "weighted");
  CHECK(choice.numbers == std::vector<double>{0.5, 0.3});
  CHECK(choice.logged_name() == "fbeta_0.5_weighted_0.3");
  CHECK(chosen_metrics("fbeta", true).at(0).numbers == std::vector<double>{2, 0.5});
  CHECK(chosen_metrics("accuracy:top5", true).at(0).top_k == 5);
  CHECK(chosen_metrics(" , ", false).empty());
}

TEST_CASE("runs that were saved with former names of metrics go on, and log under these") {
  const std::vector<MetricChoice> choices = chosen_metrics("macro_accuracy top5", true);
  REQUIRE(choices.size() == 2);
  CHECK(choices[0].name == "accuracy");
  CHECK(choices[0].word == "macro");
  CHECK(choices[0].logged_name() == "macro_accuracy");
  CHECK(choices[1].top_k == 5);
  CHECK(choices[1].logged_name() == "top5");
  MetricSet set("top5", {2});  // all classes, if there are fewer than five
  double seen = 0;
  set.update("val_", 0, numbers({0.9, 0.1, 0.2, 0.8}).view({2, 2}), classes({1, 0}),
             [&](const char*, Metric& metric) { seen = metric.compute(); });
  CHECK(seen == 1);
}

TEST_CASE("names and arguments that no metric has are refused, with the nearest name") {
  const auto refused = [](const char* list, const char* words, MetricInputs inputs = {3}) {
    INFO(list);
    CHECK_THROWS_WITH(MetricSet(list, inputs), ContainsSubstring(words));
  };
  refused("acuracy", "did you mean 'accuracy'?");
  refused("kappa", "did you mean 'cohen_kappa'?");
  refused("xyzzy", "there is no metric 'xyzzy' of classes (host help metrics lists them)");
  refused("mse", "'mse' is of regression and takes numbers; the target of the data is a class");
  refused("f1", "'f1' is of classification and takes scores and classes; the target of the data is numbers", {});
  refused("f1:harmonic", "'harmonic' is no argument of f1, which takes macro|micro");
  refused("f1:macro:micro", "'micro' is no argument");
  refused("f1:0.1:0.2", "'0.2' is no argument");
  refused("f1:nan", "'nan' is no argument");
  refused("accuracy:top0", "'top0' is no argument");
  refused("auroc:", "'' is no argument");
  refused("balanced_accuracy:macro", "which takes none");
  refused("f1,f1", "given twice");
  refused("f1:binary", "is for two classes; here are 3");
  refused("f1:0.3", "is for two classes; here are 3");
  refused("f1:1.5", "from 0 to 1", {2});
  refused("auroc:0.5", "is for two classes");
  refused("ece:0", "from 1 to 1000000");
  refused("tweedie_deviance:0.5", "between 0 and 1", {});
}

TEST_CASE("rows of scores that are no probabilities are logits, whatever else is in the batch") {
  const at::Tensor logits = numbers({1.2, 0.1, -0.3, 0.4, 3, 2.5}).view({3, 2}), target = classes({0, 1, 1});
  const double expected = value_of("log_loss", {2}, logits.softmax(1), target);
  CHECK(value_of("log_loss", {2}, logits, target) == Approx(expected));
  CHECK(value_of("log_loss", {2, true}, logits, target) == Approx(expected));
  CHECK(value_of("log_loss", {2}, at::cat({logits.narrow(0, 0, 1), logits.narrow(0, 1, 2).softmax(1)}), target) ==
        Approx(expected));
}

TEST_CASE("metrics of points of samples are those of all points") {
  const at::Tensor scores = at::rand({2, 3, 4}, at::kDouble).softmax(1), target = at::randint(3, {2, 4}, at::kLong);
  const at::Tensor rows = scores.movedim(1, -1).reshape({8, 3});
  for (const char* metric : {"f1", "log_loss", "auroc", "v_measure", "mrr"})
    CHECK(value_of(metric, {3}, scores, target) == Approx(value_of(metric, {3}, rows, target.reshape(-1))));
}

TEST_CASE("without samples a metric of counts is 0, a mean NaN") {
  const at::Tensor ignored = classes({-100, -100, -100});
  for (const char* metric : {"accuracy", "f1", "matthews", "hamming_distance", "average_precision"})
    CHECK(value_of(metric, {2}, two_scores, ignored) == 0);
  for (const char* metric : {"log_loss", "brier", "cohen_kappa"})
    CHECK(std::isnan(value_of(metric, {2}, two_scores, ignored)));
  for (const char* metric : {"f1", "log_loss", "auroc"})
    CHECK(std::isnan(value_of(metric, {2}, two_scores.narrow(0, 0, 0), classes({}))));
  CHECK(std::isnan(value_of("mse", {}, numbers({}), numbers({}))));
}

TEST_CASE("a number that is NaN makes every metric of regression NaN") {
  const at::Tensor y = numbers({1, NAN, 3}), t = numbers({1, 2, 4});
  for (const MetricFamily& family : metric_families())
    if (std::string(family.name) == "regression")
      for (const MetricRow& row : family.rows) {
        INFO(row.name);
        CHECK(std::isnan(value_of(row.name, {}, y, t)));
      }
}

TEST_CASE("numbers and targets of different sizes are refused") {
  CHECK_THROWS_WITH(value_of("mse", {}, numbers({1, 2}), numbers({1, 2, 3})), ContainsSubstring("2 predictions for 3"));
  CHECK_THROWS_WITH(value_of("auroc", {3}, two_scores, classes({0, 1, 0})), ContainsSubstring("scores [N, 3]"));
}

TEST_CASE("psnr needs images, and is infinite without an error") {
  CHECK_THROWS_WITH(value_of("psnr", {}, at::rand({2, 3}), at::rand({2, 3})),
                    ContainsSubstring("[N, channels, height"));
  const at::Tensor image = at::rand({2, 1, 12, 12});
  CHECK(std::isinf(value_of("psnr", {}, image, image)));
}

TEST_CASE("an image without counted points has no value of segmentation") {
  const at::Tensor scores = at::rand({2, 3, 4, 4}, at::kDouble), target = at::randint(3, {2, 4, 4}, at::kLong);
  target.select(0, 1).fill_(-100);
  CHECK(value_of("mean_iou", {3}, scores, target) ==
        Approx(value_of("mean_iou", {3}, scores.narrow(0, 0, 1), target.narrow(0, 0, 1))));
}
