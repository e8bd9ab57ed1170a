// U-Net for the segmentation of images ("U-Net: convolutional networks for biomedical image segmentation", 2015), with
// the names of the implementation that most people know (milesial/Pytorch-UNet).
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <torch/nn/modules/pooling.h>

#include <string>

#include "layers.hpp"
#include "table.hpp"

namespace networks {
namespace {

using levin::watch;

// Two 3x3 convolutions with batch norm.
struct DoubleConvImpl : torch::nn::Module {
  DoubleConvImpl(int64_t in, int64_t out) {
    double_conv = register_module("double_conv", Layers());
    for (int64_t from : {in, out}) {
      double_conv->push_back(torch::nn::Conv2d(torch::nn::Conv2dOptions(from, out, 3).padding(1).bias(false)));
      double_conv->push_back(torch::nn::BatchNorm2d(out));
      double_conv->push_back(ActivationLayer(Activation::relu));
    }
  }
  torch::Tensor forward(torch::Tensor x) { return watch(double_conv, x); }
  Layers double_conv{nullptr};
};
TORCH_MODULE(DoubleConv);

struct DownImpl : torch::nn::Module {
  DownImpl(int64_t in, int64_t out) {
    maxpool_conv = register_module("maxpool_conv", Layers(torch::nn::MaxPool2d(2), DoubleConv(in, out)));
  }
  torch::Tensor forward(torch::Tensor x) { return watch(maxpool_conv, x); }
  Layers maxpool_conv{nullptr};
};
TORCH_MODULE(Down);

struct UpImpl : torch::nn::Module {
  UpImpl(int64_t in, int64_t out) {
    up = register_module("up", torch::nn::ConvTranspose2d(torch::nn::ConvTranspose2dOptions(in, out, 2).stride(2)));
    conv = register_module("conv", DoubleConv(in, out));
  }
  // skip: of the same stage on the way down, whose size decides.
  torch::Tensor forward(torch::Tensor x, torch::Tensor skip) {
    x = watch(up, x);
    const int64_t rows = skip.size(2) - x.size(2), columns = skip.size(3) - x.size(3);
    x = at::constant_pad_nd(x, {columns / 2, columns - columns / 2, rows / 2, rows - rows / 2});
    return watch(conv, at::cat({skip, x}, 1));
  }
  torch::nn::ConvTranspose2d up{nullptr};
  DoubleConv conv{nullptr};
};
TORCH_MODULE(Up);

struct OutConvImpl : torch::nn::Module {
  OutConvImpl(int64_t in, int64_t out) {
    conv = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 1)));
  }
  torch::Tensor forward(torch::Tensor x) { return watch(conv, x); }
  torch::nn::Conv2d conv{nullptr};
};
TORCH_MODULE(OutConv);

class UNet : public Network {
 public:
  static constexpr levin_option options[] = {
      levin::integer("width", "64", "channels of the first stage; each stage doubles them", 1, 4096),
      levin::integer("depth", "4", "number of times the image is halved", 1, 8)};

  UNet(const levin::Args& args, const levin::DataInfo& data) {
    const int64_t width = args.integer("width"), depth = args.integer("depth");
    inc_ = register_module("inc", DoubleConv(picture(data, "unet", int64_t{1} << depth).channels, width));
    for (int64_t i = 0; i < depth; ++i)
      down_.push_back(register_module("down" + std::to_string(i + 1), Down(width << i, width << (i + 1))));
    for (int64_t i = depth; i > 0; --i)
      up_.push_back(register_module("up" + std::to_string(depth - i + 1), Up(width << i, width << (i - 1))));
    const levin::Field& target = data.target();
    const bool is_image = target.classes == 0 && target.shape.size() == 3;  // for regression: an image of any channels
    outc_ = register_module("outc", OutConv(width, is_image ? target.shape[0] : levin::outputs_of(data)));
  }

 protected:
  torch::Tensor scores(torch::Tensor x) override {
    std::vector<torch::Tensor> skips = {watch(inc_, x)};
    for (Down& down : down_) skips.push_back(watch(down, skips.back()));
    x = skips.back();
    for (size_t i = 0; i < up_.size(); ++i) x = watch(up_[i], x, skips[up_.size() - 1 - i]);
    return watch(outc_, x);
  }

 private:
  DoubleConv inc_{nullptr};
  std::vector<Down> down_;
  std::vector<Up> up_;
  OutConv outc_{nullptr};
};

}  // namespace

const Row unet = row_of<UNet>("unet", "U-Net for images: a class, or numbers, for each pixel");

}  // namespace networks
