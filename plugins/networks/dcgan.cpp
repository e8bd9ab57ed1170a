// A generative adversarial network of convolutions ("Unsupervised representation learning with deep convolutional
// generative adversarial networks", 2015), with the names of PyTorch's example dcgan.
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/randn.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/activation.h>

#include <string>

#include "layers.hpp"
#include "table.hpp"

namespace networks {
namespace {

using levin::watch;

// Returns how often an image is halved until it is 4 x 4.
int64_t halvings(const Picture& image) {
  int64_t n = 0;
  while ((int64_t{4} << n) < image.height) ++n;
  if (image.height == image.width && (int64_t{4} << n) == image.height) return n;
  throw levin::Error(LEVIN_E_INVALID, "dcgan needs images whose sides are equal and 16, 32, 64, 128, ...; they are " +
                                          std::to_string(image.height) + " x " + std::to_string(image.width));
}

torch::nn::Conv2d narrowing(int64_t in, int64_t out, int64_t stride, int64_t padding) {
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 4).stride(stride).padding(padding).bias(false));
}
torch::nn::ConvTranspose2d widening(int64_t in, int64_t out, int64_t stride, int64_t padding) {
  return torch::nn::ConvTranspose2d(
      torch::nn::ConvTranspose2dOptions(in, out, 4).stride(stride).padding(padding).bias(false));
}

struct GeneratorImpl : torch::nn::Module {
  GeneratorImpl(const Picture& image, int64_t latent, int64_t width) {
    main = register_module("main", Layers());
    int64_t in = width << (halvings(image) - 1);
    main->push_back(widening(latent, in, 1, 0));
    for (int64_t out = in / 2; out >= width; in = out, out /= 2) {
      add_norm(in);
      main->push_back(widening(in, out, 2, 1));
    }
    add_norm(width);
    main->push_back(widening(width, image.channels, 2, 1));
    main->push_back(torch::nn::Tanh());
  }
  void add_norm(int64_t channels) {
    main->push_back(torch::nn::BatchNorm2d(channels));
    main->push_back(ActivationLayer(Activation::relu));
  }
  torch::Tensor forward(torch::Tensor z) { return watch(main, z.view({z.size(0), -1, 1, 1})); }
  Layers main{nullptr};
};
TORCH_MODULE(Generator);

struct DiscriminatorImpl : torch::nn::Module {
  DiscriminatorImpl(const Picture& image, int64_t width) {
    const auto leaky = [] { return torch::nn::LeakyReLU(torch::nn::LeakyReLUOptions().negative_slope(0.2)); };
    main = register_module("main", Layers(narrowing(image.channels, width, 2, 1), leaky()));
    for (int64_t i = 1; i < halvings(image); ++i, width *= 2) {
      main->push_back(narrowing(width, 2 * width, 2, 1));
      main->push_back(torch::nn::BatchNorm2d(2 * width));
      main->push_back(leaky());
    }
    main->push_back(narrowing(width, 1, 1, 0));
  }
  torch::Tensor forward(torch::Tensor x) { return watch(main, x).flatten(); }  // logits
  Layers main{nullptr};
};
TORCH_MODULE(Discriminator);

class Dcgan : public levin::Model {
 public:
  static constexpr levin_option options[] = {
      levin::integer("latent", "100", "numbers that an image is made from", 1, 1e5),
      levin::integer("width", "64", "channels next to the image; each smaller layer doubles them", 1, 4096),
      levin::with(levin::number("lr", "0.0002", "learning rate of both networks", 0, 1), LEVIN_OPT_TUNABLE),
      levin::number("beta1", "0.5", "beta1 of Adam", 0, 0.999999)};

  explicit Dcgan(const levin::Args& args)
      : latent_(args.integer("latent")), lr_(args.number("lr")), beta1_(args.number("beta1")) {
    const Picture image = picture(data(), "dcgan", 16);
    generator_ = register_module("generator", Generator(image, latent_, args.integer("width")));
    discriminator_ = register_module("discriminator", Discriminator(image, args.integer("width")));
    for (const auto& module : modules(/*include_self=*/false)) {
      if (auto* narrow = module->as<torch::nn::Conv2d>()) torch::nn::init::normal_(narrow->weight, 0, 0.02);
      if (auto* widen = module->as<torch::nn::ConvTranspose2d>()) torch::nn::init::normal_(widen->weight, 0, 0.02);
      if (auto* norm = module->as<torch::nn::BatchNorm2d>()) torch::nn::init::normal_(norm->weight, 1, 0.02);
    }
  }

  torch::Tensor forward(const torch::Tensor& z) { return generator_(z); }
  void configure_optimizers(levin::OptimPlan& plan) {
    for (const char* part : {"discriminator", "generator"})
      plan.optimizer("adam", {{"lr", lr_}, {"betas", {beta1_, 0.999}}}, {{part, {std::string(part) + ".*"}, {}}});
  }
  torch::Tensor training_step(const levin::Batch& batch, const levin::StepInfo& info) {
    const torch::Tensor real = batch.input(), made = generator_(noise(real));
    if (info.optimizer_idx == 1) {
      const torch::Tensor loss = says(discriminator_(made), true);
      log("generator_loss", loss, levin::prog_bar);
      return loss;
    }
    const torch::Tensor loss = says(discriminator_(real), true) + says(discriminator_(made.detach()), false);
    log("discriminator_loss", loss, levin::prog_bar);
    return loss;
  }
  // The fraction of real and made images that the discriminator tells apart: 0.5 if it cannot.
  void validation_step(const levin::Batch& batch) {
    const torch::Tensor real = batch.input(), made = generator_(noise(real));
    const torch::Tensor right =
        discriminator_(real).gt(0).to(at::kFloat).mean() + discriminator_(made).le(0).to(at::kFloat).mean();
    log("val_told_apart", right / 2, levin::prog_bar | levin::sync_dist);
  }
  // A new image for each row.
  torch::Tensor predict_step(const levin::Batch& batch) { return generator_(noise(batch.input())); }

 private:
  torch::Tensor noise(const torch::Tensor& like) const { return at::randn({like.size(0), latent_}, like.options()); }
  static torch::Tensor says(const torch::Tensor& logits, bool real) {
    return at::binary_cross_entropy_with_logits(logits, at::full_like(logits, real ? 1. : 0.));
  }

  int64_t latent_;
  double lr_, beta1_;
  Generator generator_{nullptr};
  Discriminator discriminator_{nullptr};
};

}  // namespace

levin_component dcgan() {
  return levin::model<Dcgan>("dcgan", "A generative adversarial network of convolutions, for images from 16 x 16");
}

}  // namespace networks
