// A Parzen estimator of one parameter: a mixture of truncated normal distributions around the values seen and a wide
// one over the whole range, or weighted counts for listed values. The widths are those of Optuna 3.1.
#pragma once
#include <vector>

#include "sweep/search/random_numbers.hpp"
#include "sweep/search/sampler.hpp"

namespace levin::core::sweep {

class Parzen {
 public:
  // values: in the order of their trials.
  Parzen(const Parameter& parameter, const std::vector<double>& values);
  double sample(RandomNumbers& random) const;  // returns a possible value
  double log_density(double value) const;

 private:
  struct Kernel {
    double center, width, weight;
  };
  size_t draw(RandomNumbers& random) const;  // a kernel, or a choice
  void set_choices(const std::vector<double>& values, const std::vector<double>& weights);
  void set_widths();

  const Parameter& parameter_;
  Scale scale_;
  std::vector<Kernel> kernels_;  // of a choice: the weight alone
};

}  // namespace levin::core::sweep
