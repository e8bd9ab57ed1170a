// The metrics that have a name, for --model.metrics and `host help metrics`. A row has the name, the arguments that may
// follow it, and what the metric is. The name is also the struct that computes the metric, in
// levin/torch/metrics/named/FAMILY.hpp. An argument is one of
//   a|b|c        words, of which one may be given; the first is the default
//   topK         a word such as top5
//   NAME=NUMBER  a number and its default; numbers are given in the order of the row
#pragma once
#include <vector>

// clang-format off
#define LEVIN_AVERAGE "macro|micro|weighted|binary"

// Scores of classes, and one class as the target.
#define LEVIN_CLASSIFICATION_METRICS(METRIC) \
  METRIC(accuracy, "micro|macro|weighted|binary topK threshold=0.5", "fraction of correct predictions; macro: the mean recall of the classes") \
  METRIC(balanced_accuracy, "", "mean recall of the classes that occur as targets") \
  METRIC(precision, LEVIN_AVERAGE " threshold=0.5", "fraction of the predictions of a class that are right") \
  METRIC(recall, LEVIN_AVERAGE " threshold=0.5", "fraction of the samples of a class that are found; sensitivity") \
  METRIC(f1, LEVIN_AVERAGE " threshold=0.5", "harmonic mean of precision and recall; the Dice score of classes") \
  METRIC(fbeta, LEVIN_AVERAGE " beta=2 threshold=0.5", "mean of precision and recall, where recall counts beta times as much") \
  METRIC(specificity, LEVIN_AVERAGE " threshold=0.5", "fraction of the samples of other classes that are not predicted as a class") \
  METRIC(negative_predictive_value, LEVIN_AVERAGE " threshold=0.5", "fraction of the predictions of other classes that are right") \
  METRIC(hamming_distance, LEVIN_AVERAGE " threshold=0.5", "fraction of wrong predictions; macro: the mean over the classes") \
  METRIC(jaccard, LEVIN_AVERAGE " threshold=0.5", "intersection over union of predictions and targets") \
  METRIC(cohen_kappa, "none|linear|quadratic threshold=0.5", "agreement beyond chance; with weights by the distance of the classes") \
  METRIC(matthews, "threshold=0.5", "Matthews correlation coefficient") \
  METRIC(auroc, "macro|weighted|binary max_fpr=1", "area under the ROC curve; max_fpr limits the false-positive rate (two classes)") \
  METRIC(average_precision, "macro|weighted|binary", "area under the precision-recall curve, as a sum of steps") \
  METRIC(recall_at_precision, "precision=0.5", "highest recall with at least this precision; two classes") \
  METRIC(precision_at_recall, "recall=0.5", "highest precision with at least this recall; two classes") \
  METRIC(sensitivity_at_specificity, "specificity=0.5", "highest sensitivity with at least this specificity; two classes") \
  METRIC(specificity_at_sensitivity, "sensitivity=0.5", "highest specificity with at least this sensitivity; two classes") \
  METRIC(log_loss, "", "mean negative logarithm of the probability of the target") \
  METRIC(perplexity, "", "exponential of log_loss") \
  METRIC(brier, "all|binary", "mean squared error of the probabilities, summed over the classes; binary: of the second class") \
  METRIC(ece, "l1|l2|max bins=15", "expected calibration error of the predicted class; l2: root mean square, max: largest gap")

// The predicted classes as clusters.
#define LEVIN_CLUSTERING_METRICS(METRIC) \
  METRIC(mutual_info, "", "mutual information of predictions and targets, in nats") \
  METRIC(normalized_mutual_info, "arithmetic|geometric|min|max", "mutual information over this mean of the entropies") \
  METRIC(rand_index, "", "fraction of the pairs of samples that are together, or apart, in both") \
  METRIC(adjusted_rand_index, "", "Rand index beyond chance") \
  METRIC(fowlkes_mallows, "", "geometric mean of precision and recall of pairs") \
  METRIC(homogeneity, "", "1 if each cluster has samples of one class") \
  METRIC(completeness, "", "1 if all samples of a class are in one cluster") \
  METRIC(v_measure, "", "harmonic mean of homogeneity and completeness")

// The classes of a sample as a ranked list, of which the target is the relevant one.
#define LEVIN_RETRIEVAL_METRICS(METRIC) \
  METRIC(mrr, "", "mean of 1 / rank of the target; of equal scores the target is the last") \
  METRIC(ndcg, "k=1000000", "mean of 1 / log2(1 + rank of the target), 0 beyond rank k; the mean over equal scores")

// Scores [N, C, ...]: each sample is an image of points.
#define LEVIN_SEGMENTATION_METRICS(METRIC) \
  METRIC(mean_iou, "", "intersection over union of each image, averaged over its classes and the images") \
  METRIC(mean_dice, "", "Dice score of each image, averaged over its classes and the images")

// Predicted numbers and target numbers.
#define LEVIN_REGRESSION_METRICS(METRIC) \
  METRIC(mse, "", "mean squared error") \
  METRIC(rmse, "", "root of the mean squared error") \
  METRIC(mae, "", "mean absolute error") \
  METRIC(median_absolute_error, "", "median of the absolute errors") \
  METRIC(max_error, "", "largest absolute error") \
  METRIC(mean_error, "", "mean of prediction minus target: the bias") \
  METRIC(mape, "", "mean absolute error as a fraction of the target") \
  METRIC(smape, "", "mean of 2 |error| / (|prediction| + |target|)") \
  METRIC(wmape, "", "sum of the absolute errors as a fraction of the sum of the absolute targets") \
  METRIC(msle, "", "mean squared error of log(1 + x)") \
  METRIC(huber, "delta=1", "Huber loss: squared up to delta, then linear") \
  METRIC(log_cosh, "", "mean of log(cosh(error))") \
  METRIC(pinball, "alpha=0.5", "pinball loss of the quantile alpha") \
  METRIC(tweedie_deviance, "power=0", "mean Tweedie deviance; 0: normal, 1: Poisson, 2: gamma") \
  METRIC(minkowski, "p=2", "Minkowski distance of all predictions from all targets") \
  METRIC(r2, "", "coefficient of determination: 1 - squared error / variance of the target") \
  METRIC(explained_variance, "", "1 - variance of the error / variance of the target") \
  METRIC(pearson, "", "Pearson's correlation coefficient") \
  METRIC(concordance, "", "Lin's concordance correlation coefficient") \
  METRIC(spearman, "", "Spearman's rank correlation") \
  METRIC(kendall, "", "Kendall's tau-b") \
  METRIC(cosine_similarity, "", "mean cosine between the rows of predictions and targets")

// Predicted images and target images [N, channels, height, width].
#define LEVIN_IMAGE_METRICS(METRIC) \
  METRIC(psnr, "range=1", "peak signal-to-noise ratio in dB, of values in a range of this size")
// clang-format on

#pragma GCC visibility push(hidden)
namespace levin::metrics {

struct MetricRow {
  const char *name, *arguments, *summary;
};
struct MetricFamily {
  const char* name;   // "classification"
  bool of_classes;    // scores of classes and one class as the target; otherwise numbers
  const char* takes;  // for help
  std::vector<MetricRow> rows;
};

inline const std::vector<MetricFamily>& metric_families() {
#define LEVIN_METRIC_ROW(name, arguments, summary) {#name, arguments, summary},
  static const std::vector<MetricFamily> all = {
      {"classification", true, "scores and classes", {LEVIN_CLASSIFICATION_METRICS(LEVIN_METRIC_ROW)}},
      {"clustering", true, "scores and classes", {LEVIN_CLUSTERING_METRICS(LEVIN_METRIC_ROW)}},
      {"retrieval", true, "scores and classes", {LEVIN_RETRIEVAL_METRICS(LEVIN_METRIC_ROW)}},
      {"segmentation", true, "scores and classes of points", {LEVIN_SEGMENTATION_METRICS(LEVIN_METRIC_ROW)}},
      {"regression", false, "numbers", {LEVIN_REGRESSION_METRICS(LEVIN_METRIC_ROW)}},
      {"images", false, "images of numbers", {LEVIN_IMAGE_METRICS(LEVIN_METRIC_ROW)}},
  };
#undef LEVIN_METRIC_ROW
  return all;
}

}  // namespace levin::metrics
#pragma GCC visibility pop
