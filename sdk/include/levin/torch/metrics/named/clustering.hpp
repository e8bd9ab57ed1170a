// The named metrics of clustering. One cluster alone, or samples of one class alone, have no mutual information: the
// normalized one is 0, as in torchmetrics.
#pragma once
#include "levin/torch/metrics/named/of_classes.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

// Entropies in nats: of the targets, of the predictions, and what they have in common.
struct Information {
  explicit Information(const Cells& c) {
    const auto entropy = [&](const at::Tensor& counts) {
      const at::Tensor part = counts / c.total();
      return -at::xlogy(part, part).sum();
    };
    targets = entropy(c.seen()), predictions = entropy(c.predicted());
    // Rounding leaves up to 1e-15 of an information of 0.
    const at::Tensor found = targets + predictions - entropy(c.numbers());
    common = at::where(found.abs() < 1e-14, at::zeros_like(found), found);
  }
  at::Tensor mean(const std::string& word) const {
    if (word == "geometric") return (targets * predictions).sqrt();
    if (word == "min") return at::minimum(targets, predictions);
    return word == "max" ? at::maximum(targets, predictions) : (targets + predictions) / 2;
  }
  at::Tensor targets, predictions, common;
};

struct mutual_info : OfCells {
  static at::Tensor value(const Cells& c) { return Information(c).common; }
};
struct normalized_mutual_info : OfCells {
  static at::Tensor value(const Cells& c) {
    const Information i(c);
    return ratio(i.common, i.mean(c.choice.word));
  }
};

// Ordered pairs of different samples.
struct Pairs {
  explicit Pairs(const Cells& c) {
    const at::Tensor n = c.total(), both = c.numbers().square().sum();
    const at::Tensor targets = c.seen().square().sum(), predictions = c.predicted().square().sum();
    together = both - n, apart = n * n - targets - predictions + both;
    target_only = targets - both, prediction_only = predictions - both;
  }
  at::Tensor together, apart, target_only, prediction_only;  // together in both, in none, in one of them
};

// 1 for a single sample.
struct rand_index : OfCells {
  static at::Tensor value(const Cells& c) {
    const Pairs p(c);
    const at::Tensor wrong = p.target_only + p.prediction_only;
    return 1 - ratio(wrong, wrong + p.together + p.apart);
  }
};
struct adjusted_rand_index : OfCells {
  static at::Tensor value(const Cells& c) {
    const Pairs p(c);
    const at::Tensor part = 2 * (p.together * p.apart - p.target_only * p.prediction_only);
    const at::Tensor whole = (p.together + p.target_only) * (p.target_only + p.apart) +
                             (p.together + p.prediction_only) * (p.prediction_only + p.apart);
    return at::where(p.target_only + p.prediction_only == 0, at::ones_like(part), ratio(part, whole));
  }
};
struct fowlkes_mallows : OfCells {
  static at::Tensor value(const Cells& c) {
    const Pairs p(c);
    return ratio(p.together, ((p.together + p.target_only) * (p.together + p.prediction_only)).sqrt());
  }
};

struct homogeneity : OfCells {
  static at::Tensor value(const Cells& c) { return of(Information(c)); }
  static at::Tensor of(const Information& i) {
    return at::where(i.targets == 0, at::ones_like(i.common), ratio(i.common, i.targets));
  }
};
struct completeness : OfCells {
  static at::Tensor value(const Cells& c) { return of(Information(c)); }
  static at::Tensor of(const Information& i) {
    return at::where(i.predictions == 0, at::ones_like(i.common), ratio(i.common, i.predictions));
  }
};
struct v_measure : OfCells {
  static at::Tensor value(const Cells& c) {
    const Information i(c);
    const at::Tensor h = homogeneity::of(i), k = completeness::of(i);
    return ratio(2 * h * k, h + k);
  }
};

}  // namespace levin::metrics::named
#pragma GCC visibility pop
