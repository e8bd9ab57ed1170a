// Inception v3 ("Rethinking the Inception architecture for computer vision", 2015).
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/max_pool2d.h>

#include <string>

#include "layers.hpp"
#include "table.hpp"

namespace networks {
namespace {

using levin::watch;

struct Kernel {
  int64_t height, width, stride, pad_height, pad_width;
};
constexpr Kernel one = {1, 1, 1, 0, 0}, three = {3, 3, 1, 1, 1}, five = {5, 5, 1, 2, 2}, halving = {3, 3, 2, 0, 0},
                 wide = {1, 7, 1, 0, 3}, high = {7, 1, 1, 3, 0};

class BasicConv2dImpl : public torch::nn::Module {
 public:
  BasicConv2dImpl(int64_t in, int64_t out, const Kernel& k = one) {
    conv_ = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, {k.height, k.width})
                                                          .stride(k.stride)
                                                          .padding({k.pad_height, k.pad_width})
                                                          .bias(false)));
    bn_ = register_module("bn", torch::nn::BatchNorm2d(torch::nn::BatchNorm2dOptions(out).eps(0.001)));
  }
  torch::Tensor forward(torch::Tensor x) { return watch(bn_, watch(conv_, x)).relu_(); }
  torch::Tensor& weight() { return conv_->weight; }

 private:
  torch::nn::Conv2d conv_{nullptr};
  torch::nn::BatchNorm2d bn_{nullptr};
};
TORCH_MODULE(BasicConv2d);

torch::Tensor smoothed(const torch::Tensor& x) { return at::avg_pool2d(x, {3, 3}, {1, 1}, {1, 1}); }
torch::Tensor halved(const torch::Tensor& x) { return at::max_pool2d(x, {3, 3}, {2, 2}); }

// Convolutions by name, of which a block makes branches. They run in torchvision's order, in which their gradients are
// added.
class Mixed : public torch::nn::Module {
 public:
  virtual torch::Tensor forward(torch::Tensor x) = 0;

 protected:
  BasicConv2d add(const std::string& name, int64_t in, int64_t out, const Kernel& kernel = one) {
    return register_module(name, BasicConv2d(in, out, kernel));
  }
};

struct InceptionA : Mixed {
  InceptionA(int64_t in, int64_t pooled)
      : branch1x1(add("branch1x1", in, 64)),
        branch5x5_1(add("branch5x5_1", in, 48)),
        branch5x5_2(add("branch5x5_2", 48, 64, five)),
        branch3x3dbl_1(add("branch3x3dbl_1", in, 64)),
        branch3x3dbl_2(add("branch3x3dbl_2", 64, 96, three)),
        branch3x3dbl_3(add("branch3x3dbl_3", 96, 96, three)),
        branch_pool(add("branch_pool", in, pooled)) {}
  torch::Tensor forward(torch::Tensor x) override {
    return at::cat(
        {watch(branch1x1, x), watch(branch5x5_2, watch(branch5x5_1, x)),
         watch(branch3x3dbl_3, watch(branch3x3dbl_2, watch(branch3x3dbl_1, x))), watch(branch_pool, smoothed(x))},
        1);
  }
  BasicConv2d branch1x1, branch5x5_1, branch5x5_2, branch3x3dbl_1, branch3x3dbl_2, branch3x3dbl_3, branch_pool;
};

struct InceptionB : Mixed {
  explicit InceptionB(int64_t in)
      : branch3x3(add("branch3x3", in, 384, halving)),
        branch3x3dbl_1(add("branch3x3dbl_1", in, 64)),
        branch3x3dbl_2(add("branch3x3dbl_2", 64, 96, three)),
        branch3x3dbl_3(add("branch3x3dbl_3", 96, 96, halving)) {}
  torch::Tensor forward(torch::Tensor x) override {
    return at::cat(
        {watch(branch3x3, x), watch(branch3x3dbl_3, watch(branch3x3dbl_2, watch(branch3x3dbl_1, x))), halved(x)}, 1);
  }
  BasicConv2d branch3x3, branch3x3dbl_1, branch3x3dbl_2, branch3x3dbl_3;
};

struct InceptionC : Mixed {
  InceptionC(int64_t in, int64_t c7)
      : branch1x1(add("branch1x1", in, 192)),
        branch7x7_1(add("branch7x7_1", in, c7)),
        branch7x7_2(add("branch7x7_2", c7, c7, wide)),
        branch7x7_3(add("branch7x7_3", c7, 192, high)),
        branch7x7dbl_1(add("branch7x7dbl_1", in, c7)),
        branch7x7dbl_2(add("branch7x7dbl_2", c7, c7, high)),
        branch7x7dbl_3(add("branch7x7dbl_3", c7, c7, wide)),
        branch7x7dbl_4(add("branch7x7dbl_4", c7, c7, high)),
        branch7x7dbl_5(add("branch7x7dbl_5", c7, 192, wide)),
        branch_pool(add("branch_pool", in, 192)) {}
  torch::Tensor forward(torch::Tensor x) override {
    const torch::Tensor by1 = watch(branch1x1, x);
    const torch::Tensor by7 = watch(branch7x7_3, watch(branch7x7_2, watch(branch7x7_1, x)));
    torch::Tensor dbl = watch(branch7x7dbl_3, watch(branch7x7dbl_2, watch(branch7x7dbl_1, x)));
    dbl = watch(branch7x7dbl_5, watch(branch7x7dbl_4, dbl));
    return at::cat({by1, by7, dbl, watch(branch_pool, smoothed(x))}, 1);
  }
  BasicConv2d branch1x1, branch7x7_1, branch7x7_2, branch7x7_3, branch7x7dbl_1, branch7x7dbl_2, branch7x7dbl_3,
      branch7x7dbl_4, branch7x7dbl_5, branch_pool;
};

struct InceptionD : Mixed {
  explicit InceptionD(int64_t in)
      : branch3x3_1(add("branch3x3_1", in, 192)),
        branch3x3_2(add("branch3x3_2", 192, 320, halving)),
        branch7x7x3_1(add("branch7x7x3_1", in, 192)),
        branch7x7x3_2(add("branch7x7x3_2", 192, 192, wide)),
        branch7x7x3_3(add("branch7x7x3_3", 192, 192, high)),
        branch7x7x3_4(add("branch7x7x3_4", 192, 192, halving)) {}
  torch::Tensor forward(torch::Tensor x) override {
    const torch::Tensor by3 = watch(branch3x3_2, watch(branch3x3_1, x));
    torch::Tensor by7 = watch(branch7x7x3_2, watch(branch7x7x3_1, x));
    by7 = watch(branch7x7x3_4, watch(branch7x7x3_3, by7));
    return at::cat({by3, by7, halved(x)}, 1);
  }
  BasicConv2d branch3x3_1, branch3x3_2, branch7x7x3_1, branch7x7x3_2, branch7x7x3_3, branch7x7x3_4;
};

struct InceptionE : Mixed {
  explicit InceptionE(int64_t in)
      : branch1x1(add("branch1x1", in, 320)),
        branch3x3_1(add("branch3x3_1", in, 384)),
        branch3x3_2a(add("branch3x3_2a", 384, 384, {1, 3, 1, 0, 1})),
        branch3x3_2b(add("branch3x3_2b", 384, 384, {3, 1, 1, 1, 0})),
        branch3x3dbl_1(add("branch3x3dbl_1", in, 448)),
        branch3x3dbl_2(add("branch3x3dbl_2", 448, 384, three)),
        branch3x3dbl_3a(add("branch3x3dbl_3a", 384, 384, {1, 3, 1, 0, 1})),
        branch3x3dbl_3b(add("branch3x3dbl_3b", 384, 384, {3, 1, 1, 1, 0})),
        branch_pool(add("branch_pool", in, 192)) {}
  torch::Tensor forward(torch::Tensor x) override {
    const torch::Tensor by1 = watch(branch1x1, x), by3 = watch(branch3x3_1, x);
    const torch::Tensor both = at::cat({watch(branch3x3_2a, by3), watch(branch3x3_2b, by3)}, 1);
    const torch::Tensor dbl = watch(branch3x3dbl_2, watch(branch3x3dbl_1, x));
    const torch::Tensor both_dbl = at::cat({watch(branch3x3dbl_3a, dbl), watch(branch3x3dbl_3b, dbl)}, 1);
    return at::cat({by1, both, both_dbl, watch(branch_pool, smoothed(x))}, 1);
  }
  BasicConv2d branch1x1, branch3x3_1, branch3x3_2a, branch3x3_2b, branch3x3dbl_1, branch3x3dbl_2, branch3x3dbl_3a,
      branch3x3dbl_3b, branch_pool;
};

struct AuxiliaryHead : torch::nn::Module {
  explicit AuxiliaryHead(int64_t outputs) {
    conv0 = register_module("conv0", BasicConv2d(768, 128));
    conv1 = register_module("conv1", BasicConv2d(128, 768, Kernel{5, 5, 1, 0, 0}));
    fc = register_module("fc", torch::nn::Linear(768, outputs));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = watch(conv1, watch(conv0, at::avg_pool2d(x, {5, 5}, {3, 3})));
    return watch(fc, at::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
  }
  BasicConv2d conv0{nullptr}, conv1{nullptr};
  torch::nn::Linear fc{nullptr};
};

constexpr int64_t least_size = 75, least_auxiliary_size = 299;

class Inception : public Network {
 public:
  static constexpr levin_option options[] = {
      levin::number("dropout", "0.5", "dropout before the last layer", 0, 1),
      levin::with(levin::flag("auxiliary", "null",
                              "a second head, whose loss counts 0.4 in training; null = for images from 299 x 299"),
                  LEVIN_OPT_NULLABLE)};

  Inception(const levin::Args& args, const levin::DataInfo& data) : dropout_(args.number("dropout")) {
    const Picture image = picture(data, "inception_v3", least_size);
    const bool is_large = std::min(image.height, image.width) >= least_auxiliary_size;
    if (args.flag("auxiliary")) picture(data, "inception_v3 with --model.auxiliary true", least_auxiliary_size);
    add_stem(image.channels);
    add_block<InceptionA>("Mixed_5b", 192, 32), add_block<InceptionA>("Mixed_5c", 256, 64),
        add_block<InceptionA>("Mixed_5d", 288, 64);
    add_block<InceptionB>("Mixed_6a", 288);
    add_block<InceptionC>("Mixed_6b", 768, 128), add_block<InceptionC>("Mixed_6c", 768, 160),
        add_block<InceptionC>("Mixed_6d", 768, 160);
    add_block<InceptionC>("Mixed_6e", 768, 192);
    if (args.is_null("auxiliary") ? is_large : args.flag("auxiliary"))
      auxiliary_head_ = register_module("AuxLogits", std::make_shared<AuxiliaryHead>(levin::outputs_of(data)));
    add_block<InceptionD>("Mixed_7a", 768);
    add_block<InceptionE>("Mixed_7b", 1280), add_block<InceptionE>("Mixed_7c", 2048);
    fc_ = register_module("fc", torch::nn::Linear(2048, levin::outputs_of(data)));
    initialise();
  }

 protected:
  torch::Tensor scores(torch::Tensor x) override {
    for (size_t i = 0; i < stem_.size(); ++i) {
      x = watch(stem_[i], x);
      if (i == 2 || i == 4) x = halved(x);
    }
    for (const std::shared_ptr<Mixed>& block : blocks_) {
      if (block == blocks_[8] && auxiliary_head_ && is_training()) auxiliary_ = watch(auxiliary_head_, x);
      x = watch(block, x);
    }
    x = at::dropout(at::adaptive_avg_pool2d(x, {1, 1}), dropout_, is_training());
    return watch(fc_, x.flatten(1));
  }

 private:
  void add_stem(int64_t channels) {
    const auto add = [&](const char* name, int64_t in, int64_t out, const Kernel& kernel) {
      stem_.push_back(register_module(name, BasicConv2d(in, out, kernel)));
    };
    add("Conv2d_1a_3x3", channels, 32, halving);
    add("Conv2d_2a_3x3", 32, 32, {3, 3, 1, 0, 0});
    add("Conv2d_2b_3x3", 32, 64, three);
    add("Conv2d_3b_1x1", 64, 80, one);
    add("Conv2d_4a_3x3", 80, 192, {3, 3, 1, 0, 0});
  }
  template <class Block, class... Sizes>
  void add_block(const char* name, Sizes... sizes) {
    blocks_.push_back(register_module(name, std::make_shared<Block>(sizes...)));
  }
  void initialise() {
    for (const auto& module : modules(/*include_self=*/false)) {
      if (auto* conv = module->as<torch::nn::Conv2d>()) truncated_normal(conv->weight, 0.1);
      if (auto* linear = module->as<torch::nn::Linear>()) truncated_normal(linear->weight, 0.1);
    }
    if (!auxiliary_head_) return;
    truncated_normal(auxiliary_head_->conv1->weight(), 0.01);
    truncated_normal(auxiliary_head_->fc->weight, 0.001);
  }

  double dropout_;
  std::vector<BasicConv2d> stem_;
  std::vector<std::shared_ptr<Mixed>> blocks_;
  std::shared_ptr<AuxiliaryHead> auxiliary_head_;
  torch::nn::Linear fc_{nullptr};
};

}  // namespace

const Row inception_v3 = row_of<Inception>("inception_v3", "Inception v3, for images from 75 x 75");

}  // namespace networks
