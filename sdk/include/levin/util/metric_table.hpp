// The metrics that have a name, for --model.metrics and `host help metrics`. A row has the name, the arguments that may
// follow it, and what the metric is. The name is also the struct that computes the metric, in
// levin/torch/metrics/named/FAMILY.hpp. Two families may have a name if they are for different targets. An argument is
// one of
//   a|b|c        words, of which one may be given; the first is the default
//   topK         a word such as top5
//   NAME=NUMBER  a number and its default; numbers are given in the order of the row
#pragma once
#include <vector>

// clang-format off
#define LEVIN_AVERAGE "macro|micro|weighted|binary"
#define LEVIN_AVERAGE_OF_LABELS "macro|micro|weighted threshold=0.5"

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

// Scores of labels, of which a sample may have several, and 0 or 1 for each label as the target.
#define LEVIN_MULTILABEL_METRICS(METRIC) \
  METRIC(accuracy, LEVIN_AVERAGE_OF_LABELS, "fraction of right labels") \
  METRIC(exact_match, "threshold=0.5", "fraction of the samples of which all labels are right") \
  METRIC(precision, LEVIN_AVERAGE_OF_LABELS, "fraction of the predictions of a label that are right") \
  METRIC(recall, LEVIN_AVERAGE_OF_LABELS, "fraction of the samples with a label that are found; sensitivity") \
  METRIC(f1, LEVIN_AVERAGE_OF_LABELS, "harmonic mean of precision and recall; the Dice score of labels") \
  METRIC(fbeta, "macro|micro|weighted beta=2 threshold=0.5", "mean of precision and recall, where recall counts beta times as much") \
  METRIC(specificity, LEVIN_AVERAGE_OF_LABELS, "fraction of the samples without a label for which it is not predicted") \
  METRIC(negative_predictive_value, LEVIN_AVERAGE_OF_LABELS, "fraction of the samples for which a label is not predicted that do not have it") \
  METRIC(hamming_distance, LEVIN_AVERAGE_OF_LABELS, "fraction of wrong labels") \
  METRIC(jaccard, LEVIN_AVERAGE_OF_LABELS, "intersection over union of predictions and targets") \
  METRIC(auroc, "macro|micro|weighted", "area under the ROC curve") \
  METRIC(average_precision, "macro|micro|weighted", "area under the precision-recall curve, as a sum of steps") \
  METRIC(log_loss, "", "mean binary cross-entropy of the labels") \
  METRIC(brier, "", "mean squared error of the probabilities") \
  METRIC(coverage_error, "", "mean number of labels, from the highest score on, that contain all labels of the sample") \
  METRIC(ranking_loss, "", "mean fraction of the pairs of a label of the sample and another that are in the wrong order") \
  METRIC(ranking_average_precision, "", "mean over the labels of a sample of the precision at their ranks; 1 for a sample without labels")

// The labels of a sample as a ranked list, of which those of the target are the relevant ones.
#define LEVIN_LABEL_RETRIEVAL_METRICS(METRIC) \
  METRIC(map, "k=1000000", "mean over the relevant labels up to rank k of the precision at their ranks") \
  METRIC(mrr, "", "mean of 1 / rank of the first relevant label") \
  METRIC(ndcg, "k=1000000", "sum of 1 / log2(1 + rank) of the relevant labels up to rank k, over the largest possible sum; the mean over equal scores") \
  METRIC(hit_rate, "k=1000000", "fraction of the samples with a relevant label up to rank k") \
  METRIC(precision_at, "k=1000000", "fraction of the labels up to rank k that are relevant") \
  METRIC(recall_at, "k=1000000", "fraction of the relevant labels that are up to rank k") \
  METRIC(r_precision, "", "precision up to the rank that is the number of relevant labels")

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
  METRIC(psnr, "range=1", "peak signal-to-noise ratio in dB, of values in a range of this size") \
  METRIC(ssim, "range=1", "structural similarity, of values in a range of this size; at least 6 x 6 pixels")

// Predicted texts and reference texts.
#define LEVIN_TEXT_METRICS(METRIC) \
  METRIC(wer, "", "word error rate: insertions, deletions and substitutions per word of the references") \
  METRIC(cer, "", "character error rate: the same of characters") \
  METRIC(match_error_rate, "", "word errors per word of the longer text of each pair") \
  METRIC(word_information_lost, "", "1 - word_information_preserved") \
  METRIC(word_information_preserved, "", "fraction of the words that are right in the predictions, times that in the references") \
  METRIC(edit_distance, "", "mean number of insertions, deletions and substitutions of characters") \
  METRIC(exact_match, "", "fraction of the predictions that are equal to the reference") \
  METRIC(bleu, "plain|smooth n=4", "BLEU of words between spaces, up to n words long; smooth: adds 1 to the counts of 2 and more words") \
  METRIC(sacre_bleu, "plain|smooth n=4", "BLEU of the tokens of sacrebleu (13a)") \
  METRIC(chrf, "n=6 words=2 beta=2", "chrF++: F score of characters up to n and words up to `words` long; words=0: chrF") \
  METRIC(rouge1, "f1|precision|recall", "ROUGE of words, in lower case and without punctuation") \
  METRIC(rouge2, "f1|precision|recall", "ROUGE of pairs of words") \
  METRIC(rouge_l, "f1|precision|recall", "ROUGE of the longest common subsequence of words")
// clang-format on

#pragma GCC visibility push(hidden)
namespace levin::metrics {

struct MetricRow {
  const char *name, *arguments, *summary;
};
// A class of each sample, 0 or 1 for each of several labels, numbers, or texts.
enum class MetricTarget { classes, labels, numbers, texts };
struct MetricFamily {
  const char* name;  // "classification"
  MetricTarget target;
  const char* takes;  // for help
  std::vector<MetricRow> rows;
};

inline const std::vector<MetricFamily>& metric_families() {
#define LEVIN_METRIC_ROW(name, arguments, summary) {#name, arguments, summary},
  static const std::vector<MetricFamily> all = {
      {"classification", MetricTarget::classes, "scores and classes", {LEVIN_CLASSIFICATION_METRICS(LEVIN_METRIC_ROW)}},
      {"clustering", MetricTarget::classes, "scores and classes", {LEVIN_CLUSTERING_METRICS(LEVIN_METRIC_ROW)}},
      {"retrieval", MetricTarget::classes, "scores and classes", {LEVIN_RETRIEVAL_METRICS(LEVIN_METRIC_ROW)}},
      {"segmentation",
       MetricTarget::classes,
       "scores and classes of points",
       {LEVIN_SEGMENTATION_METRICS(LEVIN_METRIC_ROW)}},
      {"multilabel classification",
       MetricTarget::labels,
       "scores and labels of 0 and 1",
       {LEVIN_MULTILABEL_METRICS(LEVIN_METRIC_ROW)}},
      {"multilabel retrieval",
       MetricTarget::labels,
       "scores and labels of 0 and 1",
       {LEVIN_LABEL_RETRIEVAL_METRICS(LEVIN_METRIC_ROW)}},
      {"regression", MetricTarget::numbers, "numbers", {LEVIN_REGRESSION_METRICS(LEVIN_METRIC_ROW)}},
      {"images", MetricTarget::numbers, "images of numbers", {LEVIN_IMAGE_METRICS(LEVIN_METRIC_ROW)}},
      {"text", MetricTarget::texts, "texts", {LEVIN_TEXT_METRICS(LEVIN_METRIC_ROW)}},
  };
#undef LEVIN_METRIC_ROW
  return all;
}

}  // namespace levin::metrics
#pragma GCC visibility pop
