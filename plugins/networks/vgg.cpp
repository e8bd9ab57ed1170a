// VGG with 11 to 19 layers ("Very deep convolutional networks for large-scale image recognition", 2014).
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/pooling.h>

#include <array>

#include "feature_network.hpp"
#include "table.hpp"

namespace networks {
namespace {

constexpr const char* vgg_depths[] = {"11", "13", "16", "19", nullptr};

// Returns the convolutions of each of the five stages, which end with a pooling.
std::array<int, 5> convolutions(const std::string& depth) {
  if (depth == "11") return {1, 1, 2, 2, 2};
  if (depth == "13") return {2, 2, 2, 2, 2};
  if (depth == "16") return {2, 2, 3, 3, 3};
  return {2, 2, 4, 4, 4};
}

class Vgg : public FeatureNetwork {
 public:
  static constexpr levin_option options[] = {
      levin::choice("depth", "16", "number of layers", vgg_depths),
      levin::flag("bn", "false", "batch norm behind each convolution"),
      levin::number("dropout", "0.5", "dropout between the linear layers", 0, 1)};

  Vgg(const levin::Args& args, const levin::DataInfo& data) : FeatureNetwork(7) {
    using namespace torch::nn;
    const double dropout = args.number("dropout");
    int64_t in = picture(data, "vgg", 32).channels, width = 64;
    features_ = register_module("features", Layers());
    for (const int n : convolutions(args.text("depth"))) {
      for (int i = 0; i < n; ++i, in = width) {
        features_->push_back(Conv2d(Conv2dOptions(in, width, 3).padding(1)));
        if (args.flag("bn")) features_->push_back(BatchNorm2d(width));
        features_->push_back(ActivationLayer(Activation::relu));
      }
      features_->push_back(MaxPool2d(MaxPool2dOptions(2).stride(2)));
      width = std::min<int64_t>(2 * width, 512);
    }
    classifier_ =
        register_module("classifier", Layers(Linear(512 * 7 * 7, 4096), ActivationLayer(Activation::relu),
                                             Dropout(dropout), Linear(4096, 4096), ActivationLayer(Activation::relu),
                                             Dropout(dropout), Linear(4096, levin::outputs_of(data))));
    initialise_layers(*this, &small_normal);
  }
  double default_lr(int64_t) const override { return 0.0001; }
};

}  // namespace

const Row vgg = row_of<Vgg>("vgg", "VGG with 11, 13, 16 or 19 layers, for images from 32 x 32");

}  // namespace networks
