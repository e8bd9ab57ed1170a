// The base of torchvision's networks that are convolutions, a pooling and a classifier.
#pragma once
#include <ATen/ops/adaptive_avg_pool2d.h>

#include "layers.hpp"
#include "network.hpp"

namespace networks {

class FeatureNetwork : public Network {
 public:
  // side: height and width after the pooling. The constructor of a derived class registers features_ and classifier_.
  explicit FeatureNetwork(int64_t side) : side_(side) {}

 protected:
  torch::Tensor scores(torch::Tensor x) override {
    x = levin::watch(features_, x);
    return levin::watch(classifier_, at::adaptive_avg_pool2d(x, {side_, side_}).flatten(1));
  }
  Layers features_{nullptr}, classifier_{nullptr};

 private:
  int64_t side_;
};

}  // namespace networks
