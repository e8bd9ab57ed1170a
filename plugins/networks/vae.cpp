// A variational autoencoder ("Auto-encoding variational Bayes", 2013), with the names of PyTorch's example vae.
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/randn_like.h>
#include <torch/nn/modules/linear.h>

#include <string>

#include "table.hpp"

namespace networks {
namespace {

using levin::watch;

constexpr const char* reconstructions[] = {"mse", "bce", nullptr};

// An image or row, and the distribution of the numbers that it was made from.
struct Encoded {
  torch::Tensor output, mean, log_variance;
};

class Vae : public torch::nn::Module {
 public:
  static constexpr levin_option options[] = {
      levin::integer("latent", "20", "numbers that an input is made from", 1, 1e5),
      levin::integer("hidden", "400", "width between the input and these numbers", 1, 1e6),
      levin::choice("reconstruction", "mse", "error of the output, summed over a row; bce for inputs from 0 to 1",
                    reconstructions),
      levin::with(levin::number("beta", "1.0", "weight of the distance from the normal distribution", 0, 1e6),
                  LEVIN_OPT_TUNABLE)};

  Vae(const levin::Args& args, const levin::DataInfo& data)
      : bce_(args.text("reconstruction") == "bce"), beta_(args.number("beta")) {
    const int64_t size = data.input_size(), hidden = args.integer("hidden"), latent = args.integer("latent");
    fc1_ = register_module("fc1", torch::nn::Linear(size, hidden));
    fc21_ = register_module("fc21", torch::nn::Linear(hidden, latent));
    fc22_ = register_module("fc22", torch::nn::Linear(hidden, latent));
    fc3_ = register_module("fc3", torch::nn::Linear(latent, hidden));
    fc4_ = register_module("fc4", torch::nn::Linear(hidden, size));
  }

  // In evaluation the mean is decoded, not a sample.
  Encoded forward(torch::Tensor x) {
    const torch::Tensor h = watch(fc1_, x.reshape({x.size(0), -1})).relu();
    const torch::Tensor mean = watch(fc21_, h), log_variance = watch(fc22_, h);
    const torch::Tensor std = (0.5 * log_variance).exp();
    const torch::Tensor z = is_training() ? mean + at::randn_like(std) * std : mean;
    const torch::Tensor y = watch(fc4_, watch(fc3_, z).relu()).view_as(x);
    return {y, mean, log_variance};
  }
  torch::Tensor prediction(const Encoded& of) const { return bce_ ? of.output.sigmoid() : of.output; }
  torch::Tensor loss(const Encoded& of, const levin::Batch& batch) const {
    const torch::Tensor x = batch.input().to(of.output.scalar_type());
    const torch::Tensor error = bce_ ? at::binary_cross_entropy_with_logits(of.output, x, {}, {}, at::Reduction::Sum)
                                     : at::mse_loss(of.output, x, at::Reduction::Sum);
    const torch::Tensor distance = -0.5 * (1 + of.log_variance - of.mean.square() - of.log_variance.exp()).sum();
    return (error + beta_ * distance) / x.size(0);
  }

 private:
  bool bce_;
  double beta_;
  torch::nn::Linear fc1_{nullptr}, fc21_{nullptr}, fc22_{nullptr}, fc3_{nullptr}, fc4_{nullptr};
};

}  // namespace

levin_component vae() {
  return levin::regressor<Vae>("vae", "A variational autoencoder for images and rows of numbers");
}

}  // namespace networks
