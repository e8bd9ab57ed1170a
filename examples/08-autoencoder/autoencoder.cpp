// Encodes an image as a few numbers and draws it again from them. predict returns these numbers.
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/relu.h>
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

namespace {

class Autoencoder : public levin::Model {
 public:
  static constexpr levin_option options[] = {
      levin::integer("latent", "16", "numbers that an image is kept as", 1, 4096),
      levin::integer("hidden", "256", "width between", 1, 65536),
      levin::number("lr", "0.001", "learning rate of Adam", 1e-8, 1)};

  explicit Autoencoder(const levin::Args& o) : lr_(o.number("lr")) {
    const int64_t pixels = data().input_size(), hidden = o.integer("hidden"), latent = o.integer("latent");
    encoder_ = register_module("encoder", torch::nn::Linear(pixels, hidden));
    to_latent_ = register_module("to_latent", torch::nn::Linear(hidden, latent));
    decoder_ = register_module("decoder", torch::nn::Linear(latent, hidden));
    to_pixels_ = register_module("to_pixels", torch::nn::Linear(hidden, pixels));
  }

  torch::Tensor encode(const torch::Tensor& x) { return to_latent_(at::relu(encoder_(x.flatten(1)))); }
  torch::Tensor decode(const torch::Tensor& z) { return to_pixels_(at::relu(decoder_(z))); }
  torch::Tensor forward(const torch::Tensor& x) { return decode(encode(x)).view_as(x); }

  torch::Tensor training_step(const levin::Batch& batch) {
    const torch::Tensor loss = at::mse_loss(forward(batch.input()), batch.input());
    log("train_loss", loss, levin::prog_bar);
    return loss;
  }
  void validation_step(const levin::Batch& batch) { evaluate("val_loss", batch.input()); }
  void test_step(const levin::Batch& batch) { evaluate("test_loss", batch.input()); }
  torch::Tensor predict_step(const levin::Batch& batch) { return encode(batch.input()); }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("adam", {{"lr", lr_}}); }

 private:
  void evaluate(const char* name, const torch::Tensor& x) { log(name, at::mse_loss(forward(x), x), levin::prog_bar); }

  double lr_;
  torch::nn::Linear encoder_{nullptr}, to_latent_{nullptr}, decoder_{nullptr}, to_pixels_{nullptr};
};

}  // namespace

LEVIN_PLUGIN("levin.examples.autoencoder", "1.0.0", "Apache-2.0",
             levin::model<Autoencoder>("autoencoder", "An image through a few numbers and back"));
