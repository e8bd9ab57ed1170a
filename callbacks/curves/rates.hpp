// Curves of scores beside targets.
#pragma once
#include <cstdint>
#include <vector>

namespace levin::curves {

// A sample's score, and whether it is of the class.
struct Scored {
  double score;
  bool positive;
};

// Points from the highest score to the lowest; samples of the same score are one step.
struct Curve {
  std::vector<double> xs, ys;
  double area = 0;
};

// True-positive rate (y) by false-positive rate (x), from (0, 0) to (1, 1), and the area under it. Empty without
// positive or without negative samples.
Curve roc(std::vector<Scored> samples);
// Precision (y) by recall (x), from recall 0 on, and the average precision. Empty without positive samples.
Curve precision_recall(std::vector<Scored> samples);

// The fraction of right predictions (y) by their mean confidence (x) in bins of equal width; bins without samples are
// left out. area is the expected calibration error.
Curve calibration(const std::vector<Scored>& confidences, int64_t bins);

}  // namespace levin::curves
