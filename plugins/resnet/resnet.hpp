// Residual networks with torchvision's names, initialisation and shapes.
#pragma once
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include <string>
#include <vector>

namespace resnet {

enum class Stem {
  imagenet,  // 7x7 with stride 2, then 3x3 max-pooling with stride 2
  cifar,     // 3x3 with stride 1
  small      // 3x3 with stride 2
};

struct Shape {
  std::vector<int64_t> blocks;  // per stage; each stage after the first halves the image and doubles the width
  int64_t width;                // channels of the first stage
  bool bottleneck;
  Stem stem;
};

// depth: 18, 34, 50, 101 or 152.
Shape torchvision_shape(int64_t depth, Stem stem);

// Two 3x3 convolutions with a shortcut. A bottleneck has 1x1, 3x3 and 1x1 convolutions instead, and four times as many
// output channels.
class BlockImpl : public torch::nn::Module {
 public:
  BlockImpl(int64_t in, int64_t width, int64_t stride, bool bottleneck);
  torch::Tensor forward(torch::Tensor x);  // [B, in, H, W] -> [B, width or 4 width, H / stride, W / stride]

 private:
  torch::nn::Conv2d conv1_{nullptr}, conv2_{nullptr}, conv3_{nullptr};
  torch::nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr}, bn3_{nullptr};
  torch::nn::Sequential downsample_{nullptr};
};
TORCH_MODULE(Block);

class ResNetImpl : public torch::nn::Module {
 public:
  ResNetImpl(const Shape& shape, int64_t channels, int64_t classes);
  torch::Tensor forward(torch::Tensor x);  // [B, channels, H, W] -> [B, classes]

 private:
  void add_stem(const Shape& shape, int64_t channels);
  void initialise();

  bool pool_;
  torch::nn::Conv2d conv1_{nullptr};
  torch::nn::BatchNorm2d bn1_{nullptr};
  std::vector<torch::nn::Sequential> layers_;
  torch::nn::Linear fc_{nullptr};
};

}  // namespace resnet
