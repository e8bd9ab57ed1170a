// A network for half of the classes. `known` learns the first half with a backbone and a head. `new` loads that
// backbone from a checkpoint and learns the other half with a new head.
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

namespace {

constexpr const char* halves[] = {"known", "new", nullptr};

class BackboneImpl : public torch::nn::Module {
 public:
  explicit BackboneImpl(int64_t channels) {
    using Options = torch::nn::Conv2dOptions;
    conv1_ = register_module("conv1", torch::nn::Conv2d(Options(channels, 16, 3).padding(1)));
    bn1_ = register_module("bn1", torch::nn::BatchNorm2d(16));
    conv2_ = register_module("conv2", torch::nn::Conv2d(Options(16, 32, 3).padding(1)));
    bn2_ = register_module("bn2", torch::nn::BatchNorm2d(32));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = at::max_pool2d(at::relu(bn1_(conv1_(x))), {2, 2});
    return at::max_pool2d(at::relu(bn2_(conv2_(x))), {2, 2}).flatten(1);
  }

 private:
  torch::nn::Conv2d conv1_{nullptr}, conv2_{nullptr};
  torch::nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr};
};
TORCH_MODULE(Backbone);

class HalfClassifier : public levin::Model {
 public:
  static constexpr levin_option options[] = {
      levin::choice("classes", "\"known\"", "known: the first half of the classes; new: the second", halves),
      levin::path("pretrained", "\"\"", "checkpoint of a run that learned the other half; empty: none"),
      levin::number("lr", "0.003", "learning rate of Adam", 1e-8, 1)};

  explicit HalfClassifier(const levin::Args& o)
      : new_(o.text("classes") == "new"), pretrained_(o.text("pretrained")), lr_(o.number("lr")) {
    const std::vector<int64_t>& image = data().input().shape;
    if (image.size() != 3)
      throw levin::Error(LEVIN_E_INVALID, "half_classifier needs images [channels, height, width]");
    half_ = data().classes() / 2;
    const int64_t features = 32 * (image[1] / 4) * (image[2] / 4);
    backbone_ = register_module("backbone", Backbone(image[0]));
    known_head_ = register_module("known_head", torch::nn::Linear(features, half_));
    new_head_ = register_module("new_head", torch::nn::Linear(features, data().classes() - half_));
  }

  // This runs before on_fit_start. A resumed run already has its weights and must not load the pretrained ones.
  void on_load_checkpoint(const levin::Event&) { resumed_ = true; }
  void on_fit_start(const levin::Event& event) {
    if (!pretrained_.empty() && !resumed_) event.run().load_weights(pretrained_);
  }

  torch::Tensor training_step(const levin::Batch& batch) {
    const Half rows = mine(batch);
    if (rows.target.numel() == 0) return {};  // nothing to learn from this batch
    return at::cross_entropy_loss(logits(rows.input), rows.target);
  }
  void validation_step(const levin::Batch& batch) { evaluate("val_loss", "val_acc", batch); }
  void test_step(const levin::Batch& batch) { evaluate("test_loss", "test_acc", batch); }

  // Only parameters that require grad join the optimizer; a callback may add the backbone later.
  void configure_optimizers(levin::OptimPlan& plan) {
    plan.optimizer("adam", {{"lr", lr_}}, {{"all", {new_ ? "new_head.*" : "known_head.*", "backbone.*"}, {}}});
  }

 private:
  struct Half {
    torch::Tensor input, target;
  };
  Half mine(const levin::Batch& batch) const {
    const torch::Tensor target = batch.target(), keep = new_ ? target.ge(half_) : target.lt(half_);
    return {batch.input().index({keep}), target.index({keep}) - (new_ ? half_ : 0)};
  }
  torch::Tensor logits(const torch::Tensor& x) {
    const torch::Tensor features = backbone_(x);
    return new_ ? new_head_(features) : known_head_(features);
  }
  void evaluate(const char* loss, const char* accuracy, const levin::Batch& batch) {
    const Half rows = mine(batch);
    if (rows.target.numel() == 0) return;
    const torch::Tensor y = logits(rows.input);
    levin::LogOptions weighted = levin::prog_bar;
    weighted.batch_size = rows.target.numel();
    log(loss, at::cross_entropy_loss(y, rows.target), weighted);
    log(accuracy, y.argmax(1).eq(rows.target).to(torch::kFloat).mean(), weighted);
  }

  bool new_, resumed_ = false;
  std::string pretrained_;
  double lr_;
  int64_t half_;
  Backbone backbone_{nullptr};
  torch::nn::Linear known_head_{nullptr}, new_head_{nullptr};
};

}  // namespace

LEVIN_PLUGIN("levin.examples.fine_tuning", "1.0.0", "Apache-2.0",
             levin::model<HalfClassifier>("half_classifier",
                                          "Learns half of the classes, on a backbone of its own or another's"));
