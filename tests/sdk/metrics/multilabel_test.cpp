// Expected values: torchmetrics 1.9, multilabel_accuracy, _precision, _recall, _f1_score and _auroc of
// torchmetrics.functional.classification (scores, target, 3, average=..., threshold=..., ignore_index=...).
#include "samples.hpp"

#include <cmath>

#include "catch.hpp"

using namespace levin::metrics;

namespace {

const at::Tensor labels_scores = numbers({0.9,  0.2, 0.6,  0.4, 0.7, 0.5,  0.8,  0.1,  0.3, 0.3, 0.6,
                                          0.55, 0.2, 0.45, 0.1, 0.7, 0.35, 0.65, 0.45, 0.8, 0.52})
                                     .view({7, 3});
const at::Tensor labels_target = classes({1, 0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0}).view({7, 3});

struct Expected {
  double micro, macro, weighted;
};

template <class M>
void check_averages(const at::Tensor& scores, const at::Tensor& target, const Expected& expected,
                    double threshold = 0.5) {
  const std::pair<Average, double> cases[] = {
      {Average::micro, expected.micro}, {Average::macro, expected.macro}, {Average::weighted, expected.weighted}};
  for (const auto& [average, value] : cases)
    for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{7}, {1, 4, 2}})
      CHECK(in_batches(M(MultilabelOptions{3, average, threshold}), scores, target, sizes) == Approx(value));
}

}  // namespace

TEST_CASE("metrics of labels have their reference values, however the batches are cut") {
  check_averages<MultilabelAccuracy>(labels_scores, labels_target, {0.5238095522, 0.5238095522, 0.5428571701});
  check_averages<MultilabelPrecision>(labels_scores, labels_target, {0.5, 0.527777791, 0.5833333731});
  check_averages<MultilabelRecall>(labels_scores, labels_target, {0.5, 0.5, 0.5});
  check_averages<MultilabelF1Score>(labels_scores, labels_target, {0.5, 0.4920634925, 0.5238095522});
  check_averages<MultilabelAUROC>(labels_scores, labels_target, {0.6181818247, 0.6222221851, 0.6066666842});
}

TEST_CASE("the scores of labels are held against the threshold, logits as their probabilities") {
  for (const at::Tensor& scores : {labels_scores, labels_scores.logit()}) {
    check_averages<MultilabelAccuracy>(scores, labels_target, {0.5238095522, 0.5238095522, 0.5142857432}, 0.35);
    check_averages<MultilabelPrecision>(scores, labels_target, {0.5, 0.5, 0.5199999809}, 0.35);
    check_averages<MultilabelRecall>(scores, labels_target, {0.6999999881, 0.75, 0.6999999881}, 0.35);
    check_averages<MultilabelF1Score>(scores, labels_target, {0.5833333135, 0.5793650746, 0.5809524059}, 0.35);
  }
  const at::Tensor yes = labels_scores.gt(0.35).to(at::kLong);
  check_averages<MultilabelF1Score>(yes, labels_target, {0.5833333135, 0.5793650746, 0.5809524059});
}

TEST_CASE("a target of a label is left out for itself") {
  at::Tensor target = labels_target.clone();
  for (const auto& [row, label] : {std::pair<int64_t, int64_t>{0, 1}, {3, 1}, {4, 2}, {5, 0}})
    target.index_put_({at::tensor(row), at::tensor(label)}, at::tensor(int64_t{-100}));
  check_averages<MultilabelAccuracy>(labels_scores, target, {0.470588237, 0.4666666687, 0.5037037134});
  check_averages<MultilabelPrecision>(labels_scores, target, {0.5, 0.5833333135, 0.6666666865});
  check_averages<MultilabelRecall>(labels_scores, target, {0.4444444478, 0.4444444776, 0.4444444478});
  check_averages<MultilabelF1Score>(labels_scores, target, {0.470588237, 0.4666666687, 0.5037037134});
  check_averages<MultilabelAUROC>(labels_scores, target, {0.5625000596, 0.5555555224, 0.5833333731});
}

TEST_CASE("a label that no sample has counts in a macro average, and has no weight") {
  at::Tensor target = labels_target.clone();
  target.select(1, 2).zero_();
  check_averages<MultilabelAccuracy>(labels_scores, target, {0.5238095522, 0.5238095522, 0.571428597});
  check_averages<MultilabelPrecision>(labels_scores, target, {0.400000006, 0.4444444478, 0.6666666865});
  check_averages<MultilabelRecall>(labels_scores, target, {0.5, 0.3333333433, 0.5});
  check_averages<MultilabelF1Score>(labels_scores, target, {0.4444444478, 0.380952388, 0.571428597});
  check_averages<MultilabelAUROC>(labels_scores, target, {0.5769230127, 0.3888888856, 0.5833333284});
  const at::Tensor none = at::zeros_like(labels_target);
  check_averages<MultilabelAccuracy>(labels_scores, none, {0.5238095522, 0.5238095522, 0});
  check_averages<MultilabelRecall>(labels_scores, none, {0, 0, 0});
  check_averages<MultilabelAUROC>(labels_scores, none, {0, 0, 0});
}

TEST_CASE("points of samples are samples, of labels too") {
  const at::Tensor scores = labels_scores.narrow(0, 0, 6).view({3, 2, 3}).transpose(1, 2);  // [N, L, 2]
  const at::Tensor target = labels_target.narrow(0, 0, 6).view({3, 2, 3}).transpose(1, 2);
  CHECK(in_batches(MultilabelAccuracy(3), scores, target, {2, 1}) == Approx(0.6111111045));
  CHECK(in_batches(MultilabelF1Score(3), scores, target, {2, 1}) == Approx(0.5777778029));
  CHECK(in_batches(MultilabelAUROC(3), scores, target, {2, 1}) == Approx(0.7175925374));
}

TEST_CASE("what no metric of labels can have is refused") {
  CHECK_THROWS_WITH(MultilabelRecall(0), ContainsSubstring("at least one"));
  CHECK_THROWS_WITH(MultilabelRecall(MultilabelOptions{3, Average::binary}), ContainsSubstring("not binary"));
  CHECK_THROWS_WITH(MultilabelAUROC(MultilabelOptions{3, Average::binary}), ContainsSubstring("not binary"));
  CHECK_THROWS_WITH(MultilabelRecall(MultilabelOptions{3, Average::macro, 1.5}), ContainsSubstring("not 1.5"));
  MultilabelAccuracy four(4);
  CHECK_THROWS_WITH(four.update(labels_scores, labels_target), ContainsSubstring("4 labels"));
  MultilabelAUROC three(3);
  CHECK_THROWS_WITH(three.update(labels_scores, labels_target.narrow(0, 0, 3)), ContainsSubstring("the same shape"));
  CHECK(std::isnan(four.compute()));
  CHECK(std::isnan(three.compute()));
}
