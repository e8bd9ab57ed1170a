// A generative adversarial network, once with automatic optimization of two optimizers and once with manual
// optimization. Source: Goodfellow et al., Generative Adversarial Networks, 2014.
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/randn.h>
#include <levin/torch.hpp>

#include "networks.hpp"
#include "sample_grid.hpp"

namespace gan {

constexpr int64_t shown = 64, columns = 8;

class Gan : public levin::Model {
 public:
  static constexpr levin_option options[] = {
      levin::integer("latent", "64", "numbers that an image is made from", 1, 4096),
      levin::number("lr", "0.0002", "learning rate of both networks", 1e-8, 1)};

  explicit Gan(const levin::Args& o) : latent_(o.integer("latent")), lr_(o.number("lr")) {
    const std::vector<int64_t>& image = data().input().shape;
    if (image.size() != 3) throw levin::Error(LEVIN_E_INVALID, "gan needs images [channels, height, width]");
    generator_ = register_module("generator", Generator(latent_, image));
    discriminator_ = register_module("discriminator", Discriminator(data().input_size()));
    shown_noise_ = register_buffer("shown_noise", at::randn({shown, latent_}));
  }

  torch::Tensor forward(const torch::Tensor& z) { return generator_(z); }

  void configure_optimizers(levin::OptimPlan& plan) {
    plan.optimizer("adam", {{"lr", lr_}, {"betas", {0.5, 0.999}}}, {{"generator", {"generator.*"}, {}}});
    plan.optimizer("adam", {{"lr", lr_}, {"betas", {0.5, 0.999}}}, {{"discriminator", {"discriminator.*"}, {}}});
  }

  // The distance of the mean and the spread of each pixel from those of real images: 0 is perfect, and noise has
  // about 1.
  void validation_step(const levin::Batch& batch) {
    const torch::Tensor real = batch.input(), fake = generator_(noise(real));
    const torch::Tensor distance =
        (fake.mean(0) - real.mean(0)).abs().mean() + (fake.std(0) - real.std(0)).abs().mean();
    log("val_distance", distance, levin::prog_bar);
  }

  void on_train_epoch_end(const levin::Event& event) {
    const torch::NoGradGuard no_grad;
    eval();
    const torch::Tensor sheet = grid(generator_(shown_noise_), columns);
    train();
    const std::filesystem::path dir = event.run().run_dir();  // empty if the run writes no files
    if (!dir.empty()) write_png(dir / "samples" / ("epoch=" + std::to_string(event.epoch()) + ".png"), sheet);
    show(event.run(), sheet);
  }

 protected:
  torch::Tensor generator_loss(const torch::Tensor& real) {
    const torch::Tensor loss = says(discriminator_(generator_(noise(real))), true);
    log("generator_loss", loss, levin::prog_bar);
    return loss;
  }
  torch::Tensor discriminator_loss(const torch::Tensor& real) {
    const torch::Tensor fake = generator_(noise(real)).detach();
    const torch::Tensor loss = (says(discriminator_(real), true) + says(discriminator_(fake), false)) / 2;
    log("discriminator_loss", loss, levin::prog_bar);
    return loss;
  }

 private:
  torch::Tensor noise(const torch::Tensor& like) const { return at::randn({like.size(0), latent_}, like.options()); }
  static torch::Tensor says(const torch::Tensor& logits, bool real) {
    return at::binary_cross_entropy_with_logits(logits, at::full_like(logits, real ? 1. : 0.));
  }
  static void show(const levin::Run& run, const torch::Tensor& sheet) {
    run.media(levin::Media::view("image", "samples", levin::view_of(sheet)));
  }

  int64_t latent_;
  double lr_;
  Generator generator_{nullptr};
  Discriminator discriminator_{nullptr};
  torch::Tensor shown_noise_;
};

// The trainer calls training_step once for each optimizer and does the rest.
class Automatic : public Gan {
 public:
  using Gan::Gan;
  torch::Tensor training_step(const levin::Batch& batch, const levin::StepInfo& info) {
    return info.optimizer_idx == 0 ? generator_loss(batch.input()) : discriminator_loss(batch.input());
  }
};

// The same network with manual optimization.
class Manual : public Gan {
 public:
  static constexpr bool automatic_optimization = false;
  using Gan::Gan;
  void training_step(const levin::Batch& batch) {
    for (const uint32_t i : {0u, 1u}) {
      const levin::OptimizerHandle optimizer = optimizers(i);
      optimizer.toggle();
      optimizer.zero_grad();
      manual_backward(i == 0 ? generator_loss(batch.input()) : discriminator_loss(batch.input()));
      optimizer.step();
      optimizer.untoggle();
    }
  }
};

}  // namespace gan

LEVIN_PLUGIN("levin.examples.gan", "1.0.0", "Apache-2.0",
             levin::model<gan::Automatic>("gan", "A GAN, two optimizers with automatic optimization"),
             levin::model<gan::Manual>("gan_manual", "The same GAN with manual optimization"));
