// Vision transformers ("An image is worth 16x16 words: transformers for image recognition at scale", 2020).
#include <ATen/ops/cat.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/gelu.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/normalization.h>

#include <cmath>
#include <string>

#include "attention.hpp"
#include "table.hpp"

namespace networks {
namespace {

using levin::watch;

constexpr const char* vit_variants[] = {"b_16", "b_32", "l_16", "l_32", "h_14", nullptr};

struct VitShape {
  int64_t patch, layers, heads, hidden, mlp;
};
VitShape vit_shape(const std::string& variant) {
  const int64_t patch = std::stoll(variant.substr(2));
  if (variant[0] == 'b') return {patch, 12, 12, 768, 3072};
  if (variant[0] == 'l') return {patch, 24, 16, 1024, 4096};
  return {patch, 32, 16, 1280, 5120};
}

torch::nn::LayerNorm layer_norm(int64_t size) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({size}).eps(1e-6));
}

class VitBlockImpl : public torch::nn::Module {
 public:
  VitBlockImpl(const VitShape& shape, double dropout, double attention_dropout) : dropout_(dropout) {
    ln_1_ = register_module("ln_1", layer_norm(shape.hidden));
    attention_ = register_module("self_attention", SelfAttention(shape.hidden, shape.heads, attention_dropout));
    ln_2_ = register_module("ln_2", layer_norm(shape.hidden));
    const torch::nn::Linear widen(shape.hidden, shape.mlp), shrink(shape.mlp, shape.hidden);
    for (const torch::nn::Linear& linear : {widen, shrink}) {
      torch::nn::init::xavier_uniform_(linear->weight);
      torch::nn::init::normal_(linear->bias, 0, 1e-6);
    }
    mlp_ = register_module(
        "mlp", Layers(widen, torch::nn::GELU(), torch::nn::Dropout(dropout), shrink, torch::nn::Dropout(dropout)));
  }
  torch::Tensor forward(torch::Tensor input) {
    torch::Tensor x = watch(attention_, watch(ln_1_, input));
    x = at::dropout(x, dropout_, is_training()) + input;
    return x + watch(mlp_, watch(ln_2_, x));
  }

 private:
  double dropout_;
  torch::nn::LayerNorm ln_1_{nullptr}, ln_2_{nullptr};
  SelfAttention attention_{nullptr};
  Layers mlp_{nullptr};
};
TORCH_MODULE(VitBlock);

struct EncoderImpl : torch::nn::Module {
  EncoderImpl(const VitShape& shape, int64_t length, double dropout, double attention_dropout) : dropout_(dropout) {
    pos_embedding_ = register_parameter("pos_embedding", at::empty({1, length, shape.hidden}).normal_(0, 0.02));
    layers_ = register_module("layers", Layers());
    for (int64_t i = 0; i < shape.layers; ++i)
      layers_->push_back("encoder_layer_" + std::to_string(i), VitBlock(shape, dropout, attention_dropout));
    ln_ = register_module("ln", layer_norm(shape.hidden));
  }
  torch::Tensor forward(torch::Tensor x) {
    return watch(ln_, watch(layers_, at::dropout(x + pos_embedding_, dropout_, is_training())));
  }

 private:
  double dropout_;
  torch::Tensor pos_embedding_;
  Layers layers_{nullptr};
  torch::nn::LayerNorm ln_{nullptr};
};
TORCH_MODULE(Encoder);

class VisionTransformer : public Network {
 public:
  static constexpr levin_option options[] = {
      levin::choice("variant", "b_16", "base, large or huge, with the size of a patch", vit_variants),
      levin::with(levin::integer("patch", "null", "height and width of a patch; null = of the variant", 1, 1024),
                  LEVIN_OPT_NULLABLE),
      levin::with(levin::integer("layers", "null", "number of blocks; null = of the variant", 1, 1000),
                  LEVIN_OPT_NULLABLE),
      levin::with(levin::integer("heads", "null", "attention heads; null = of the variant", 1, 1000),
                  LEVIN_OPT_NULLABLE),
      levin::with(levin::integer("hidden", "null", "width of a position; null = of the variant", 1, 1e5),
                  LEVIN_OPT_NULLABLE),
      levin::with(levin::integer("mlp", "null", "width inside a block; null = of the variant", 1, 1e6),
                  LEVIN_OPT_NULLABLE),
      levin::number("dropout", "0.0", "dropout in the blocks", 0, 1),
      levin::number("attention_dropout", "0.0", "dropout of attention", 0, 1)};

  VisionTransformer(const levin::Args& args, const levin::DataInfo& data) {
    VitShape shape = vit_shape(args.text("variant"));
    const auto replace = [&](const char* option, int64_t& value) {
      if (!args.is_null(option)) value = args.integer(option);
    };
    replace("patch", shape.patch), replace("layers", shape.layers), replace("heads", shape.heads);
    replace("hidden", shape.hidden), replace("mlp", shape.mlp);
    if (shape.hidden % shape.heads != 0)
      throw levin::Error(LEVIN_E_INVALID, "--model.hidden " + std::to_string(shape.hidden) +
                                              " is not a multiple of --model.heads " + std::to_string(shape.heads));
    const Picture image = picture(data, "vit", shape.patch);
    if (image.height % shape.patch != 0 || image.width % shape.patch != 0)
      throw levin::Error(LEVIN_E_INVALID, "vit needs images whose height and width are multiples of the patch, " +
                                              std::to_string(shape.patch) + ", and they are " +
                                              std::to_string(image.height) + " x " + std::to_string(image.width) +
                                              ": give --model.patch, or another size of the images");
    const auto patch = torch::nn::Conv2dOptions(image.channels, shape.hidden, shape.patch).stride(shape.patch);
    conv_proj_ = register_module("conv_proj", torch::nn::Conv2d(patch));
    const double fan_in = static_cast<double>(image.channels * shape.patch * shape.patch);
    truncated_normal(conv_proj_->weight, std::sqrt(1 / fan_in));
    torch::nn::init::zeros_(conv_proj_->bias);
    class_token_ = register_parameter("class_token", at::zeros({1, 1, shape.hidden}));
    const int64_t length = (image.height / shape.patch) * (image.width / shape.patch) + 1;
    encoder_ =
        register_module("encoder", Encoder(shape, length, args.number("dropout"), args.number("attention_dropout")));
    const torch::nn::Linear head(shape.hidden, levin::outputs_of(data));
    torch::nn::init::zeros_(head->weight), torch::nn::init::zeros_(head->bias);
    heads_ = register_module("heads", Layers());
    heads_->push_back("head", head);
  }
  double default_lr(int64_t) const override { return 0.0003; }

 protected:
  torch::Tensor scores(torch::Tensor x) override {
    x = watch(conv_proj_, x).flatten(2).permute({0, 2, 1});
    x = at::cat({class_token_.expand({x.size(0), -1, -1}), x}, 1);
    return watch(heads_, watch(encoder_, x).select(1, 0));
  }

 private:
  torch::nn::Conv2d conv_proj_{nullptr};
  torch::Tensor class_token_;
  Encoder encoder_{nullptr};
  Layers heads_{nullptr};
};

}  // namespace

const Row vit = row_of<VisionTransformer>("vit", "Vision transformers for images: b_16, b_32, l_16, l_32, h_14");

}  // namespace networks
