// Expected values: sklearn.metrics and torchmetrics on the same numbers.
#include "samples.hpp"

#include <cmath>

#include "catch.hpp"

using namespace levin::metrics;

namespace {

const at::Tensor wanted = classes({0, 1, 2, 2, 1, 0, 2});
const at::Tensor predicted = classes({0, 2, 2, 2, 1, 1, 0});
ClassificationOptions macro(int64_t n) { return {n, Average::macro, 1, -100}; }

}  // namespace

TEST_CASE("metrics of classes have their reference values, however the batches are cut") {
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{7}, {3, 3, 1}, {1, 5, 1}}) {
    CHECK(in_batches(Accuracy(3), predicted, wanted, sizes) == Approx(4.0 / 7));
    CHECK(in_batches(Accuracy(macro(3)), predicted, wanted, sizes) == Approx(0.5555555556));
    CHECK(in_batches(Precision(macro(3)), predicted, wanted, sizes) == Approx(0.5555555556));
    CHECK(in_batches(Recall(macro(3)), predicted, wanted, sizes) == Approx(0.5555555556));
    CHECK(in_batches(F1Score(macro(3)), predicted, wanted, sizes) == Approx(0.5555555556));
    CHECK(in_batches(F1Score(3), predicted, wanted, sizes) == Approx(4.0 / 7));
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
  // Classes 0, 1, 2, seen 2, 2, 3 times: precision 1, 1/3, 2/3, F1 2/3, 2/5, 2/3. A class that does not occur has no
  // weight.
  const at::Tensor three = classes({0, 2, 2, 2, 1, 1, 1});
  for (const int64_t n : {3, 4}) {
    CHECK(in_batches(Precision(weighted(n)), three, wanted, {7}) == Approx((2 * 1.0 + 2.0 / 3 + 3 * 2.0 / 3) / 7));
    CHECK(in_batches(F1Score(weighted(n)), three, wanted, {7}) == Approx((2 * 2.0 / 3 + 2 * 0.4 + 3 * 2.0 / 3) / 7));
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
    // threshold 0.5: predicted 0 0 0 1 1; 0.3: predicted 0 1 1 1 1
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
  m.update(predicted, wanted);
  CHECK(m.matrix().equal(classes({1, 1, 0, 0, 1, 1, 1, 0, 2}).view({3, 3})));
}

TEST_CASE("the confusion matrix as parts of its rows, its columns, the whole") {
  ConfusionMatrix m(4);
  CHECK_FALSE(m.matrix(Normalize::target).defined());
  m.update(predicted, wanted);
  const at::Tensor counts = numbers({1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 2, 0, 0, 0, 0, 0}).view({4, 4});
  // The fourth class does not occur and is never predicted: 0, not 0 / 0.
  CHECK(m.matrix(Normalize::target).allclose(counts / numbers({2, 2, 3, 1}).view({4, 1})));
  CHECK(m.matrix(Normalize::prediction).allclose(counts / numbers({2, 2, 3, 1})));
  CHECK(m.matrix(Normalize::all).allclose(counts / 7));
  CHECK(m.matrix(Normalize::none).equal(counts.to(at::kLong)));
}

TEST_CASE("a class that neither is nor was predicted does not count in a macro average") {
  CHECK(in_batches(Accuracy(macro(4)), predicted, wanted, {7}) == Approx(0.5555555556));
}

TEST_CASE("targets to be ignored are left out") {
  Accuracy a(ClassificationOptions{3, Average::micro, 1, 2});
  a.update(predicted, wanted);
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
