#include "resnet.hpp"

#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <torch/nn/init.h>

#include "levin/watch.hpp"

namespace resnet {

using levin::watch;

namespace {

torch::nn::Conv2d conv(int64_t in, int64_t out, int64_t kernel, int64_t stride = 1) {
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).bias(false));
}

}  // namespace

Shape torchvision_shape(int64_t depth, Stem stem) {
  if (depth == 18) return {{2, 2, 2, 2}, 64, false, stem};
  if (depth == 34) return {{3, 4, 6, 3}, 64, false, stem};
  if (depth == 50) return {{3, 4, 6, 3}, 64, true, stem};
  if (depth == 101) return {{3, 4, 23, 3}, 64, true, stem};
  return {{3, 8, 36, 3}, 64, true, stem};
}

BlockImpl::BlockImpl(int64_t in, int64_t width, int64_t stride, bool bottleneck) {
  const int64_t out = bottleneck ? 4 * width : width;
  conv1_ = register_module("conv1", bottleneck ? conv(in, width, 1) : conv(in, width, 3, stride));
  bn1_ = register_module("bn1", torch::nn::BatchNorm2d(width));
  conv2_ = register_module("conv2", conv(width, width, 3, bottleneck ? stride : 1));
  bn2_ = register_module("bn2", torch::nn::BatchNorm2d(width));
  if (bottleneck) {
    conv3_ = register_module("conv3", conv(width, out, 1));
    bn3_ = register_module("bn3", torch::nn::BatchNorm2d(out));
  }
  if (stride != 1 || in != out)
    downsample_ =
        register_module("downsample", torch::nn::Sequential(conv(in, out, 1, stride), torch::nn::BatchNorm2d(out)));
}

torch::Tensor BlockImpl::forward(torch::Tensor x) {
  torch::Tensor y = watch(bn1_, watch(conv1_, x)).relu_();
  y = watch(bn2_, watch(conv2_, y));
  if (conv3_) y = watch(bn3_, watch(conv3_, y.relu_()));
  return y.add_(downsample_ ? watch(downsample_, x) : x).relu_();
}

ResNetImpl::ResNetImpl(const Shape& shape, int64_t channels, int64_t classes) : pool_(shape.stem == Stem::imagenet) {
  add_stem(shape, channels);
  const int64_t expansion = shape.bottleneck ? 4 : 1;
  int64_t in = shape.width, width = shape.width;
  for (size_t stage = 0; stage < shape.blocks.size(); ++stage, width *= 2) {
    torch::nn::Sequential layer;
    for (int64_t i = 0; i < shape.blocks[stage]; ++i, in = width * expansion)
      layer->push_back(Block(in, width, i == 0 && stage > 0 ? 2 : 1, shape.bottleneck));
    layers_.push_back(register_module("layer" + std::to_string(stage + 1), layer));
  }
  fc_ = register_module("fc", torch::nn::Linear(in, classes));
  initialise();
}

void ResNetImpl::add_stem(const Shape& shape, int64_t channels) {
  const int64_t kernel = shape.stem == Stem::imagenet ? 7 : 3, stride = shape.stem == Stem::cifar ? 1 : 2;
  conv1_ = register_module("conv1", conv(channels, shape.width, kernel, stride));
  bn1_ = register_module("bn1", torch::nn::BatchNorm2d(shape.width));
}

// Batch norm and fc keep LibTorch's initialisation, which is the same as torchvision's.
void ResNetImpl::initialise() {
  for (const auto& module : modules(/*include_self=*/false))
    if (auto* c = module->as<torch::nn::Conv2d>())
      torch::nn::init::kaiming_normal_(c->weight, 0, torch::kFanOut, torch::kReLU);
}

torch::Tensor ResNetImpl::forward(torch::Tensor x) {
  // On a CPU training is faster with channels-last. With one channel both layouts have the same strides, so only a copy
  // selects the layout. The layout changes the rounding, so torchvision's networks keep theirs in evaluation, to give
  // the same bits as torchvision.
  if (x.device().is_cpu() && (is_training() || !pool_)) x = x.clone(at::MemoryFormat::ChannelsLast);
  x = watch(bn1_, watch(conv1_, x)).relu_();
  if (pool_) x = at::max_pool2d(x, {3, 3}, {2, 2}, {1, 1});
  for (torch::nn::Sequential& layer : layers_) x = watch(layer, x);
  return watch(fc_, at::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
}

}  // namespace resnet
