// Networks that depend on the number of rows of a batch, or on its values.
#include <torch/nn/functional/activation.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

#include <stdexcept>

namespace {

struct Sized : torch::nn::Module {
  torch::nn::Linear out;
  explicit Sized(const levin::DataInfo& data)
      : out(register_module("out", torch::nn::Linear(data.input_size() / 4, data.classes()))) {}
  torch::Tensor forward(const torch::Tensor& x) {
    return out(x.reshape({x.size(0) * 4, -1})).view({x.size(0), 4, -1}).sum(1);
  }
};

struct Deciding : Sized {
  using Sized::Sized;
  torch::Tensor forward(const torch::Tensor& x) {
    const torch::Tensor y = Sized::forward(x);
    return x.size(0) > 3 ? y + 1 : y;
  }
};

struct Peeking : Sized {
  using Sized::Sized;
  torch::Tensor forward(const torch::Tensor& x) { return Sized::forward(x.max().item<float>() > 100 ? x / 255 : x); }
};

// Like the generator of a GAN: it is trained on an input created in its step.
struct Latent : levin::Model {
  torch::nn::Linear out;
  explicit Latent(const levin::Args&) : out(register_module("out", torch::nn::Linear(3, 2))) {}
  torch::Tensor forward(const torch::Tensor& x) { return out(x); }
  torch::Tensor training_step(const levin::Batch& batch) {
    return forward(torch::ones({batch.rows(), 3})).pow(2).mean();
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("sgd", {{"lr", 0.1}}); }
};

// Reads the data past LibTorch.
struct Hidden : Sized {
  using Sized::Sized;
  torch::Tensor forward(const torch::Tensor& x) {
    const torch::Tensor y = Sized::forward(x);
    return x.contiguous().abs().max().data_ptr<float>()[0] > 1 ? y * 2 : y;
  }
};

// Has modules that behave differently in training, its own parameter, and a tensor that it creates.
struct Careful : Sized {
  torch::nn::BatchNorm1d norm;
  torch::nn::Dropout drop;
  torch::Tensor scale;
  explicit Careful(const levin::DataInfo& data)
      : Sized(data),
        norm(register_module("norm", torch::nn::BatchNorm1d(data.classes()))),
        drop(register_module("drop", torch::nn::Dropout(0.5))),
        scale(register_buffer("scale", torch::full({}, 2.f))) {}
  torch::Tensor forward(const torch::Tensor& x) {
    const torch::Tensor start = torch::zeros({x.size(0), 1}, x.options());
    return drop(norm(Sized::forward(x))) * scale.item<float>() + start;
  }
};

// Counts its calls, in evaluation mode too.
struct Counting : Sized {
  torch::Tensor calls;
  explicit Counting(const levin::DataInfo& data)
      : Sized(data), calls(register_buffer("calls", torch::zeros({}, torch::kLong))) {}
  torch::Tensor forward(const torch::Tensor& x) {
    calls.add_(1);
    return Sized::forward(x);
  }
};

struct Throwing : Sized {
  using Sized::Sized;
  torch::Tensor forward(const torch::Tensor& x) {
    if (x.size(0) == 13) throw std::runtime_error("thirteen rows");
    if (x.size(0) == 14) throw 14;
    return Sized::forward(x);
  }
};

}  // namespace

LEVIN_PLUGIN("test.networks", LEVIN_TEST_VERSION, "MIT", levin::classifier<Sized>("sized", "Uses the number of rows"),
             levin::classifier<Deciding>("deciding", "Decides by the number of rows"),
             levin::classifier<Peeking>("peeking", "Decides by the numbers"),
             levin::classifier<Hidden>("hidden", "Decides by the numbers in memory"),
             levin::model<Latent>("latent", "Takes other inputs than its data has"),
             levin::classifier<Careful>("careful", "Dropout, batch norm and a tensor of its own"),
             levin::classifier<Counting>("counting", "Counts its calls"),
             levin::classifier<Throwing>("throwing", "Throws for 13 and for 14 rows"));
