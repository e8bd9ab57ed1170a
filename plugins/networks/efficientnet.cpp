// EfficientNet b0 to b7 ("EfficientNet: rethinking model scaling for convolutional neural networks", 2019).
#include <ATen/ops/empty.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/dropout.h>

#include <cmath>

#include "feature_network.hpp"
#include "table.hpp"

namespace networks {
namespace {

constexpr const char* efficientnet_variants[] = {"b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", nullptr};
struct Scale {
  double width, depth, dropout;
  Norm norm;
};
constexpr Scale efficientnet_scales[] = {{1.0, 1.0, 0.2, {}},
                                         {1.0, 1.1, 0.2, {}},
                                         {1.1, 1.2, 0.3, {}},
                                         {1.2, 1.4, 0.3, {}},
                                         {1.4, 1.8, 0.4, {}},
                                         {1.6, 2.2, 0.4, {0.001, 0.01}},
                                         {1.8, 2.6, 0.5, {0.001, 0.01}},
                                         {2.0, 3.1, 0.5, {0.001, 0.01}}};

struct Stage {
  int64_t expansion, kernel, stride, in, out, layers;
};
constexpr Stage efficientnet_stages[] = {{1, 3, 1, 32, 16, 1},  {6, 3, 2, 16, 24, 2},  {6, 5, 2, 24, 40, 2},
                                         {6, 3, 2, 40, 80, 3},  {6, 5, 1, 80, 112, 3}, {6, 5, 2, 112, 192, 4},
                                         {6, 3, 1, 192, 320, 1}};

// Widens the channels, filters each of them, weighs them, and narrows them again. In training some rows skip it.
class MBConvImpl : public torch::nn::Module {
 public:
  MBConvImpl(const Stage& of, double drop, const Norm& norm) : adds_(of.stride == 1 && of.in == of.out), drop_(drop) {
    const int64_t wide = multiple_of_8(static_cast<double>(of.in * of.expansion));
    block_ = register_module("block", Layers());
    if (wide != of.in) block_->push_back(conv_norm({of.in, wide, 1, 1, 1, norm, Activation::silu}));
    block_->push_back(conv_norm({wide, wide, of.kernel, of.stride, wide, norm, Activation::silu}));
    block_->push_back(SqueezeExcitation(wide, std::max<int64_t>(1, of.in / 4), Activation::silu, Activation::sigmoid));
    block_->push_back(conv_norm({wide, of.out, 1, 1, 1, norm, Activation::none}));
  }
  torch::Tensor forward(torch::Tensor x) {
    torch::Tensor y = levin::watch(block_, x);
    if (!adds_) return y;
    if (is_training() && drop_ > 0) {
      const double kept = 1 - drop_;
      torch::Tensor noise = at::empty({y.size(0), 1, 1, 1}, y.options()).bernoulli_(kept);
      y = y * (kept > 0 ? noise.div_(kept) : noise);
    }
    return y + x;
  }

 private:
  bool adds_;
  double drop_;
  Layers block_{nullptr};
};
TORCH_MODULE(MBConv);

void uniform_by_outputs(torch::Tensor weight) {
  const double range = 1 / std::sqrt(static_cast<double>(weight.size(0)));
  torch::nn::init::uniform_(weight, -range, range);
}

class EfficientNet : public FeatureNetwork {
 public:
  static constexpr levin_option options[] = {
      levin::choice("variant", "b0", "size of the network", efficientnet_variants),
      levin::with(
          levin::number("dropout", "null", "dropout before the last layer; null = 0.2 of b0 to 0.5 of b7", 0, 1),
          LEVIN_OPT_NULLABLE),
      levin::number("stochastic_depth", "0.2", "probability that the last block is skipped in training", 0, 1)};

  EfficientNet(const levin::Args& args, const levin::DataInfo& data) : FeatureNetwork(1) {
    const Scale& scale = efficientnet_scales[args.text("variant")[1] - '0'];
    const auto width = [&](int64_t channels) { return multiple_of_8(static_cast<double>(channels) * scale.width); };
    const auto depth = [&](int64_t layers) {
      return static_cast<int64_t>(std::ceil(static_cast<double>(layers) * scale.depth));
    };
    int64_t blocks = 0, block = 0;
    for (const Stage& stage : efficientnet_stages) blocks += depth(stage.layers);
    features_ = register_module("features", Layers());
    features_->push_back(conv_norm({picture(data, "efficientnet", 1).channels, width(efficientnet_stages[0].in), 3, 2,
                                    1, scale.norm, Activation::silu}));
    for (const Stage& of : efficientnet_stages) {
      Stage scaled = {of.expansion, of.kernel, of.stride, width(of.in), width(of.out), depth(of.layers)};
      Layers stage;
      for (int64_t i = 0; i < scaled.layers; ++i, ++block) {
        const double drop = args.number("stochastic_depth") * static_cast<double>(block) / static_cast<double>(blocks);
        stage->push_back(MBConv(scaled, drop, scale.norm));
        scaled.in = scaled.out, scaled.stride = 1;
      }
      features_->push_back(stage);
    }
    const int64_t out = width(std::end(efficientnet_stages)[-1].out);
    features_->push_back(conv_norm({out, 4 * out, 1, 1, 1, scale.norm, Activation::silu}));
    const double dropout = args.is_null("dropout") ? scale.dropout : args.number("dropout");
    classifier_ = register_module(
        "classifier", Layers(torch::nn::Dropout(dropout), torch::nn::Linear(4 * out, levin::outputs_of(data))));
    initialise_layers(*this, &uniform_by_outputs);
  }
};

}  // namespace

const Row efficientnet = row_of<EfficientNet>("efficientnet", "EfficientNet b0 to b7 for images");

}  // namespace networks
