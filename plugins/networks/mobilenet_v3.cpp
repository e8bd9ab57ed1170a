// MobileNet v3, small and large ("Searching for MobileNetV3", 2019).
#include <torch/nn/modules/dropout.h>

#include "feature_network.hpp"
#include "table.hpp"

namespace networks {
namespace {

constexpr Norm mobilenet_norm = {0.001, 0.01};
constexpr const char* mobilenet_sizes[] = {"small", "large", nullptr};

struct MobileBlock {
  int64_t in, kernel, expanded, out;
  bool squeezes, hardswish;
  int64_t stride;
};
constexpr MobileBlock small_blocks[] = {
    {16, 3, 16, 16, true, false, 2}, {16, 3, 72, 24, false, false, 2}, {24, 3, 88, 24, false, false, 1},
    {24, 5, 96, 40, true, true, 2},  {40, 5, 240, 40, true, true, 1},  {40, 5, 240, 40, true, true, 1},
    {40, 5, 120, 48, true, true, 1}, {48, 5, 144, 48, true, true, 1},  {48, 5, 288, 96, true, true, 2},
    {96, 5, 576, 96, true, true, 1}, {96, 5, 576, 96, true, true, 1},
};
constexpr MobileBlock large_blocks[] = {
    {16, 3, 16, 16, false, false, 1},  {16, 3, 64, 24, false, false, 2},  {24, 3, 72, 24, false, false, 1},
    {24, 5, 72, 40, true, false, 2},   {40, 5, 120, 40, true, false, 1},  {40, 5, 120, 40, true, false, 1},
    {40, 3, 240, 80, false, true, 2},  {80, 3, 200, 80, false, true, 1},  {80, 3, 184, 80, false, true, 1},
    {80, 3, 184, 80, false, true, 1},  {80, 3, 480, 112, true, true, 1},  {112, 3, 672, 112, true, true, 1},
    {112, 5, 672, 160, true, true, 2}, {160, 5, 960, 160, true, true, 1}, {160, 5, 960, 160, true, true, 1},
};

// Widens the channels, filters each of them, weighs them, and narrows them again.
class InvertedResidualImpl : public torch::nn::Module {
 public:
  explicit InvertedResidualImpl(const MobileBlock& of) : adds_(of.stride == 1 && of.in == of.out) {
    const Activation activation = of.hardswish ? Activation::hardswish : Activation::relu;
    block_ = register_module("block", Layers());
    if (of.expanded != of.in) block_->push_back(conv_norm({of.in, of.expanded, 1, 1, 1, mobilenet_norm, activation}));
    block_->push_back(
        conv_norm({of.expanded, of.expanded, of.kernel, of.stride, of.expanded, mobilenet_norm, activation}));
    if (of.squeezes)
      block_->push_back(SqueezeExcitation(of.expanded, multiple_of_8(static_cast<double>(of.expanded / 4)),
                                          Activation::relu, Activation::hardsigmoid));
    block_->push_back(conv_norm({of.expanded, of.out, 1, 1, 1, mobilenet_norm, Activation::none}));
  }
  torch::Tensor forward(torch::Tensor x) {
    const torch::Tensor y = levin::watch(block_, x);
    return adds_ ? y + x : y;
  }

 private:
  bool adds_;
  Layers block_{nullptr};
};
TORCH_MODULE(InvertedResidual);

class MobileNetV3 : public FeatureNetwork {
 public:
  static constexpr levin_option options[] = {
      levin::choice("size", "large", "small: 2.5, large: 5.5 million parameters", mobilenet_sizes),
      levin::number("dropout", "0.2", "dropout before the last layer", 0, 1)};

  MobileNetV3(const levin::Args& args, const levin::DataInfo& data) : FeatureNetwork(1) {
    const bool is_small = args.text("size") == "small";
    const MobileBlock *begin = is_small ? std::begin(small_blocks) : std::begin(large_blocks),
                      *end = is_small ? std::end(small_blocks) : std::end(large_blocks);
    const int64_t out = end[-1].out, last = is_small ? 1024 : 1280;
    features_ = register_module("features", Layers());
    features_->push_back(conv_norm(
        {picture(data, "mobilenet_v3", 1).channels, begin->in, 3, 2, 1, mobilenet_norm, Activation::hardswish}));
    for (const MobileBlock* block = begin; block != end; ++block) features_->push_back(InvertedResidual(*block));
    features_->push_back(conv_norm({out, 6 * out, 1, 1, 1, mobilenet_norm, Activation::hardswish}));
    classifier_ =
        register_module("classifier", Layers(torch::nn::Linear(6 * out, last), ActivationLayer(Activation::hardswish),
                                             torch::nn::Dropout(args.number("dropout")),
                                             torch::nn::Linear(last, levin::outputs_of(data))));
    initialise_layers(*this, &small_normal);
  }
};

}  // namespace

const Row mobilenet_v3 = row_of<MobileNetV3>("mobilenet_v3", "MobileNet v3 for images, small and large");

}  // namespace networks
