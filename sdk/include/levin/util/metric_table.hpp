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
// clang-format on

#pragma GCC visibility push(hidden)
namespace levin::metrics {

struct MetricRow {
  const char *name, *arguments, *summary;
};
struct MetricFamily {
  const char* name;   // "classification"
  const char* takes;  // what its metrics compare, for help
  std::vector<MetricRow> rows;
};

inline const std::vector<MetricFamily>& metric_families() {
#define LEVIN_METRIC_ROW(name, arguments, summary) {#name, arguments, summary},
  static const std::vector<MetricFamily> all = {
      {"classification",
       "scores of classes, and one class as the target",
       {LEVIN_CLASSIFICATION_METRICS(LEVIN_METRIC_ROW)}},
      {"regression", "numbers", {LEVIN_REGRESSION_METRICS(LEVIN_METRIC_ROW)}},
  };
#undef LEVIN_METRIC_ROW
  return all;
}

}  // namespace levin::metrics
#pragma GCC visibility pop
