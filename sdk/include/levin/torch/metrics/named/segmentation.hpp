// The named metrics of segmentation: each image has a value, the mean over the classes that occur in its target or its
// prediction. Images without any counted point are left out.
#pragma once
#include "levin/torch/metrics/named/of_classes.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

// Counts of the points of each image and class: double [N, C].
struct ImageCells {
  explicit ImageCells(const Scores& s) {
    const int64_t n = s.images, classes = s.rows.size(1);
    const at::Tensor image = at::arange(n, s.target.options()).unsqueeze(1).expand({n, s.target.numel() / n});
    const at::Tensor cell = (image.reshape(-1) * classes + s.target) * classes + s.rows.argmax(1);
    const at::Tensor cells = at::zeros({n * classes * classes}, s.rows.options())
                                 .scatter_add(0, cell, s.counted.to(at::kDouble))
                                 .view({n, classes, classes});
    right = cells.diagonal(0, 1, 2), seen = cells.sum(2), predicted = cells.sum(1);
  }
  // Returns the sum over the images of the mean ratio of their classes, and the number of images.
  at::Tensor sums(const at::Tensor& part, const at::Tensor& whole) const {
    const at::Tensor occurs = (seen + predicted > 0).to(at::kDouble), classes = occurs.sum(1);
    return at::stack({ratio(ratio(part, whole).sum(1), classes).sum(), classes.gt(0).sum().to(at::kDouble)});
  }
  at::Tensor right, seen, predicted;
};

struct mean_iou : OfScores {
  static at::Tensor sums(const MetricChoice&, const Scores& s) {
    const ImageCells c(s);
    return c.sums(c.right, c.seen + c.predicted - c.right);
  }
  static at::Tensor value(const MetricChoice&, const at::Tensor& sums) { return sums[0] / sums[1]; }
};
struct mean_dice : mean_iou {
  static at::Tensor sums(const MetricChoice&, const Scores& s) {
    const ImageCells c(s);
    return c.sums(2 * c.right, c.seen + c.predicted);
  }
};

}  // namespace levin::metrics::named
#pragma GCC visibility pop
