// Values of named metrics are compared in tests/sdk/reference.
#include "samples.hpp"

#include <cmath>

#include "catch.hpp"

using namespace levin::metrics;

namespace {

double value_of(const std::string& metric, const MetricInputs& inputs, const at::Tensor& prediction,
                const at::Tensor& target) {
  const NamedMetric named = named_metric(chosen_metrics(metric, inputs.target()).at(0), inputs);
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
  const MetricChoice choice = chosen_metrics("fbeta:0.5:weighted:0.3", MetricTarget::classes).at(0);
  CHECK(choice.word == "weighted");
  CHECK(choice.numbers == std::vector<double>{0.5, 0.3});
  CHECK(choice.logged_name() == "fbeta_0.5_weighted_0.3");
  CHECK(chosen_metrics("fbeta", MetricTarget::classes).at(0).numbers == std::vector<double>{2, 0.5});
  CHECK(chosen_metrics("accuracy:top5", MetricTarget::classes).at(0).top_k == 5);
  CHECK(chosen_metrics(" , ", MetricTarget::numbers).empty());
}

TEST_CASE("runs that were saved with former names of metrics go on, and log under these") {
  const std::vector<MetricChoice> choices = chosen_metrics("macro_accuracy top5", MetricTarget::classes);
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
  refused("mse", "'mse' is of regression and takes numbers; here the targets are classes");
  refused("f1", "'f1' is of classification and takes scores and classes; here the targets are numbers", {});
  refused("cohen_kappa", "'cohen_kappa' is of classification and takes scores and classes", {0, true, 3});
  refused("f1:binary", "'binary' is no argument of f1, which takes macro|micro|weighted", {0, true, 3});
  refused("f1:2", "from 0 to 1", {0, true, 3});
  refused("ndcg:0", "from 1 to", {0, true, 3});
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

TEST_CASE("metrics of labels") {
  const at::Tensor scores = numbers({2, -1, 3, -2, 1, 0.5}).view({2, 3}),
                   target = numbers({1, 0, 1, 1, 1, 0}).view({2, 3});
  const MetricInputs labels{0, /*logits=*/true, 3};
  CHECK(value_of("accuracy:micro", labels, scores, target) == Approx(4.0 / 6));
  CHECK(value_of("f1", labels, scores, target) == Approx((2.0 / 3 + 1 + 2.0 / 3) / 3));
  CHECK(value_of("exact_match", labels, scores, target) == 0.5);
  CHECK(value_of("map", labels, scores, target) == Approx((1 + (1 + 2.0 / 3) / 2) / 2));
  CHECK(value_of("hit_rate:1", labels, scores, target) == 1);
  SECTION("targets that are left out, and rows of them") {
    const at::Tensor some = target.clone();
    some[1].fill_(-100);
    for (const MetricFamily& family : metric_families())
      if (family.target == MetricTarget::labels)
        for (const MetricRow& row : family.rows) {
          INFO(row.name);
          CHECK(value_of(row.name, labels, scores, some) ==
                Approx(value_of(row.name, labels, scores.narrow(0, 0, 1), some.narrow(0, 0, 1))));
        }
    CHECK(std::isnan(value_of("log_loss", labels, scores, at::full({2, 3}, -100.0))));
  }
  SECTION("scores that are NaN, and of another shape") {
    const at::Tensor broken = numbers({NAN, -1, 3, NAN, NAN, NAN}).view({2, 3});
    CHECK(std::isnan(value_of("log_loss", labels, broken, target)));
    CHECK_NOTHROW(value_of("map", labels, broken, target));
    CHECK_THROWS_WITH(value_of("f1", labels, scores, target.narrow(1, 0, 2)), ContainsSubstring("of the same shape"));
  }
  SECTION("rows in [0, 1] are probabilities unless scores are logits") {
    const at::Tensor p = numbers({0.9, 0.2, 0.6}).view({1, 3}), t = numbers({1, 0, 0}).view({1, 3});
    CHECK(value_of("brier", {0, false, 3}, p, t) == Approx((0.01 + 0.04 + 0.36) / 3));
    CHECK(value_of("brier", labels, p.logit(), t) == Approx((0.01 + 0.04 + 0.36) / 3));
  }
}

TEST_CASE("metrics of texts are kept apart by stage and loader") {
  TextMetricSet set("wer, bleu:2, rouge1:recall");
  std::map<std::string, double> seen;
  const auto keep = [&](const char* name, Metric& metric) { seen[name] = metric.compute(); };
  set.update("val_", 0, Texts{"the cat sat"}, Texts{"the cat sat down"}, keep);
  CHECK(seen["val_wer"] == 0.25);
  CHECK(seen["val_rouge1_recall"] == 0.75);
  CHECK(seen["val_bleu_2"] == Approx(std::exp(-1.0 / 3)));
  set.update("val_", 0, Texts{"a b"}, Texts{"b a"}, keep);
  CHECK(seen["val_wer"] == 0.5);
  set.update("val_", 1, Texts{}, Texts{}, keep);
  CHECK(std::isnan(seen["val_wer"]));
  CHECK_THROWS_WITH(set.update("val_", 0, Texts{"a"}, Texts{}, keep), ContainsSubstring("1 predictions for 0"));
  CHECK_THROWS_WITH(TextMetricSet("f1"), ContainsSubstring("here the targets are texts"));
  CHECK_THROWS_WITH(TextMetricSet("blue"), ContainsSubstring("did you mean 'bleu'?"));
  CHECK_THROWS_WITH(TextMetricSet("bleu:0"), ContainsSubstring("from 1 to 100"));
}

TEST_CASE("a rate of errors in references without words is infinite, or NaN without errors") {
  const auto value = [](const char* metric, const char* prediction) {
    const NamedTextMetric named = named_text_metric(chosen_metrics(metric, MetricTarget::texts).at(0));
    named.update({prediction}, {""});
    return named.metric->compute();
  };
  CHECK(std::isinf(value("wer", "a")));
  CHECK(std::isnan(value("cer", "")));
  CHECK(value("bleu", "a") == 0);
  CHECK(value("rouge_l", "") == 0);
}

TEST_CASE("characters are those of UTF-8, and bytes that are not UTF-8 count alone") {
  CHECK(named::characters_of("a\u00fc\u65e5\U0001f600").size() == 4);
  CHECK(named::characters_of("\xff\xe6\x97").size() == 3);
  CHECK(named::characters_of("\xf0\x9f\x98").size() == 3);
  CHECK(named::words_of("a\u00a0b \u3000c ").size() == 3);
}

TEST_CASE("ssim of equal images is 1, and needs 6 x 6 pixels") {
  const at::Tensor image = at::rand({2, 3, 6, 9});
  CHECK(value_of("ssim", {}, image, image) == Approx(1));
  CHECK_THROWS_WITH(value_of("ssim", {}, at::rand({1, 1, 5, 9}), at::rand({1, 1, 5, 9})),
                    ContainsSubstring("at least 6 x 6 pixels, and these have 5 x 9"));
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
