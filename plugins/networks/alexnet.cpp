// AlexNet, as torchvision has it ("One weird trick for parallelizing convolutional neural networks", 2014).
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/pooling.h>

#include "feature_network.hpp"
#include "table.hpp"

namespace networks {
namespace {

class AlexNet : public FeatureNetwork {
 public:
  static constexpr levin_option options[] = {levin::number("dropout", "0.5", "dropout before the linear layers", 0, 1)};

  AlexNet(const levin::Args& args, const levin::DataInfo& data) : FeatureNetwork(6) {
    using namespace torch::nn;
    const double dropout = args.number("dropout");
    const auto conv = [](int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t padding) {
      return Conv2d(Conv2dOptions(in, out, kernel).stride(stride).padding(padding));
    };
    const auto relu = [] { return ActivationLayer(Activation::relu); };
    const auto pool = [] { return MaxPool2d(MaxPool2dOptions(3).stride(2)); };
    features_ =
        register_module("features", Layers(conv(picture(data, "alexnet", 63).channels, 64, 11, 4, 2), relu(), pool(),
                                           conv(64, 192, 5, 1, 2), relu(), pool(), conv(192, 384, 3, 1, 1), relu(),
                                           conv(384, 256, 3, 1, 1), relu(), conv(256, 256, 3, 1, 1), relu(), pool()));
    classifier_ =
        register_module("classifier", Layers(Dropout(dropout), Linear(256 * 6 * 6, 4096), relu(), Dropout(dropout),
                                             Linear(4096, 4096), relu(), Linear(4096, levin::outputs_of(data))));
  }
  double default_lr(int64_t) const override { return 0.0001; }
};

}  // namespace

const Row alexnet = row_of<AlexNet>("alexnet", "AlexNet, for images from 63 x 63");

}  // namespace networks
