// Expected values: torchmetrics 1.9 (functional.classification) on the same numbers.
#include "samples.hpp"

#include <cmath>

#include "catch.hpp"

using namespace levin::metrics;

namespace {

const at::Tensor four_scores = numbers({0.7, 0.2, 0.1, 0.2, 0.5, 0.3, 0.3, 0.3, 0.4, 0.6, 0.3, 0.1}).view({4, 3});

double area_of(const AUROCOptions& options, const at::Tensor& scores, const at::Tensor& target) {
  AUROC a(options);
  a.update(scores, target);
  return a.compute();
}

}  // namespace

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

TEST_CASE("the area of several classes is the mean of each against the rest") {
  AUROC a(3);
  a.update(numbers({0.7, 0.2, 0.1, 0.2, 0.5, 0.3, 0.3, 0.3, 0.4, 0.6, 0.3, 0.1}).view({4, 3}), classes({0, 1, 2, 1}));
  CHECK(a.compute() == Approx((1.0 + 0.875 + 1.0) / 3));
}

// multiclass_auroc(four_scores, target, 3, average="macro" or "weighted")
TEST_CASE("the areas of classes are averaged, weighted by how often each was seen, a class that was not seen as 0") {
  struct Case {
    at::Tensor target;
    double macro, weighted;
  };
  for (const Case& c : {Case{classes({0, 1, 2, 1}), 0.9583333, 0.9375}, {classes({0, 1, 0, 1}), 0.5416667, 0.8125}}) {
    CHECK(area_of({3}, four_scores, c.target) == Approx(c.macro));
    CHECK(area_of({3, Average::weighted}, four_scores, c.target) == Approx(c.weighted));
  }
}

// multiclass_auroc(logits, target, 3, average=...): softmax changes the order of the samples within a class
TEST_CASE("the areas of several classes are those of their probabilities, also where logits are given") {
  const at::Tensor logits = numbers({2, -1, 0.5, 1.5, 3, 4, -2, -0.5, -1, 0, 2.5, -3, 4, 4.5, 2}).view({5, 3});
  const at::Tensor target = classes({0, 1, 2, 1, 2});
  for (const at::Tensor& scores : {logits, logits.softmax(1)}) {
    CHECK(in_batches(AUROC(3), scores, target, {5}) == Approx(0.7222222));
    CHECK(in_batches(AUROC(3), scores, target, {1, 3, 1}) == Approx(0.7222222));
    CHECK(area_of({3, Average::weighted}, scores, target) == Approx(0.6666667));
  }
}

// binary_auroc(scores, target, max_fpr=...)
TEST_CASE("the area up to a rate of false positives is scaled so that chance has one half") {
  const at::Tensor scores = numbers({0.1, 0.4, 0.35, 0.8, 0.65, 0.4, 0.9, 0.2});
  const at::Tensor target = classes({0, 0, 1, 1, 0, 1, 1, 0});
  const std::pair<double, double> cases[] = {{0.1, 0.7368421}, {0.25, 0.7142857}, {0.3, 0.7083333},
                                             {0.5, 0.7083333}, {0.8, 0.7721354},  {1.0, 0.78125}};
  for (const auto& [max_fpr, expected] : cases) {
    INFO(max_fpr);
    CHECK(area_of({2, Average::macro, max_fpr}, scores, target) == Approx(expected));
    CHECK(area_of({2, Average::macro, max_fpr}, at::stack({1 - scores, scores}, 1), target) == Approx(expected));
  }
  for (const at::Tensor& only : {at::zeros_like(target), at::ones_like(target)})
    CHECK(area_of({2, Average::macro, 0.5}, scores, only) == 0);
}

// binary_auroc(scores, target, max_fpr=..., ignore_index=-1); multiclass_auroc(four_scores, ..., 3, ignore_index=2)
TEST_CASE("the area leaves out targets that are to be ignored") {
  const at::Tensor scores = numbers({0.1, 0.4, 0.35, 0.8, 0.65, 0.4, 0.9, 0.2});
  const at::Tensor target = classes({0, 0, 1, -1, 0, 1, 1, -1});
  CHECK(area_of({2, Average::macro, 1, -1}, scores, target) == Approx(0.6111111));
  CHECK(area_of({2, Average::macro, 0.5, -1}, scores, target) == Approx(0.5740741));
  CHECK(area_of({3, Average::macro, 1, 2}, four_scores, classes({0, 1, 2, 1})) == Approx(0.6666667));
  CHECK(area_of({3}, four_scores, classes({0, 1, 2, -100})) == Approx(1.0));
  CHECK(area_of({3}, four_scores, classes({-100, -100, -100, -100})) == 0);
}

TEST_CASE("the area of points of samples is that of all points") {
  const at::Tensor target = classes({0, 1, 2, 1});
  const at::Tensor points = four_scores.view({2, 2, 3}).transpose(1, 2);  // [N, C, 2]
  CHECK(area_of({3}, points, target.view({2, 2})) == Approx(0.9583333));
  CHECK(area_of({2}, numbers({0.1, 0.4, 0.35, 0.8}).view({4, 1}), classes({0, 0, 1, 1})) == Approx(0.75));
}

TEST_CASE("what no area can be of is refused") {
  CHECK_THROWS_WITH(AUROC(1), ContainsSubstring("at least two classes"));
  CHECK_THROWS_WITH(AUROC(AUROCOptions{3, Average::micro}), ContainsSubstring("macro or Average::weighted"));
  CHECK_THROWS_WITH(AUROC(AUROCOptions{2, Average::macro, 0}), ContainsSubstring("above 0 and at most 1"));
  CHECK_THROWS_WITH(AUROC(AUROCOptions{3, Average::macro, 0.5}), ContainsSubstring("two classes, not 3"));
  AUROC three(3), two;
  CHECK_THROWS_WITH(three.update(numbers({0.1, 0.2}), classes({0, 1})), ContainsSubstring("scores [N, 3]"));
  CHECK_THROWS_WITH(two.update(four_scores, classes({0, 1, 0, 1})), ContainsSubstring("scores [N, 2] or [N]"));
}
