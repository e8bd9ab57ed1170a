// Two or three ranks with parts of a batch, compared with one process that has the whole batch and LibTorch's modules.
// A step consists of a layer, batch norm and an asymmetric loss; parameter gradients are averaged over ranks.
#include <torch/nn/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include "catch.hpp"
#include "thread_ranks.hpp"

using levin::core::SyncBatchNormScope;

namespace {

constexpr int64_t channels = 5;

struct Case {
  std::string name;
  std::vector<int64_t> shape;  // of the whole batch
  std::vector<int64_t> rows;   // per rank
  bool affine = true;
  bool tracked = true;
  c10::optional<double> momentum = 0.1;
  at::MemoryFormat format = at::MemoryFormat::Contiguous;
};

torch::nn::BatchNormOptions options_of(const Case& c) {
  return torch::nn::BatchNormOptions(channels).affine(c.affine).track_running_stats(c.tracked).momentum(c.momentum);
}

// Scales each channel before batch norm, so that the gradient of the scale passes through batch norm's backward.
struct Network : torch::nn::Module {
  explicit Network(const Case& c) {
    scale = register_parameter("scale", torch::linspace(0.5, 2.0, channels));
    if (c.shape.size() <= 3) one = register_module("bn", torch::nn::BatchNorm1d(options_of(c)));
    if (c.shape.size() == 4) two = register_module("bn", torch::nn::BatchNorm2d(options_of(c)));
    if (c.shape.size() == 5) three = register_module("bn", torch::nn::BatchNorm3d(options_of(c)));
    if (c.affine) {
      const torch::NoGradGuard guard;
      named_parameters()["bn.weight"].copy_(torch::linspace(-1.0, 1.5, channels));
      named_parameters()["bn.bias"].copy_(torch::linspace(0.3, -0.7, channels));
    }
  }
  at::Tensor forward(const at::Tensor& x) {
    std::vector<int64_t> shape(static_cast<size_t>(x.dim()), 1);
    shape[1] = channels;
    const at::Tensor scaled = (x * scale.view(shape)).tanh();  // batch norm alone would cancel the scale
    return one ? one(scaled) : two ? two(scaled) : three(scaled);
  }

  at::Tensor scale;
  torch::nn::BatchNorm1d one = nullptr;
  torch::nn::BatchNorm2d two = nullptr;
  torch::nn::BatchNorm3d three = nullptr;
};

struct Step {
  at::Tensor output;
  at::Tensor input_gradient;
};

// factor: the rank's share of the whole batch's mean loss, times the number of ranks. With batches of equal size the
// loss is the mean over the rank's own rows.
Step step(Network& network, const at::Tensor& batch, const at::Tensor& target, double factor) {
  const at::Tensor x = batch.detach().clone(batch.suggest_memory_format()).requires_grad_();
  const at::Tensor y = network.forward(x);
  ((y - target).pow(3) * target).sum().mul(factor).backward();
  return {y.detach(), x.grad()};
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  if (a.numel() == 0) return 0;
  return ((a - b).abs().max() / b.abs().max().clamp_min(1e-3)).item<double>();
}

// Three steps, so that the running statistics are updated several times.
void check(const Case& c) {
  INFO(c.name);
  const int size = static_cast<int>(c.rows.size());
  torch::manual_seed(3);
  const at::Tensor batch = (torch::randn(c.shape) * 2 + 1).contiguous(c.format), target = torch::randn(c.shape);
  Network whole(c);
  std::vector<std::shared_ptr<Network>> networks;
  for (int rank = 0; rank < size; ++rank) networks.push_back(std::make_shared<Network>(c));
  const auto batches = batch.split_with_sizes(c.rows), targets = target.split_with_sizes(c.rows);
  const double mean = 1.0 / static_cast<double>(batch.numel());

  for (int i = 0; i < 3; ++i) {
    const Step expected = step(whole, batch + i, target, mean);
    std::vector<Step> steps(networks.size());
    ThreadRanks ranks(size);
    const auto errors = ranks.run([&](int rank) {
      const auto r = static_cast<size_t>(rank);
      const SyncBatchNormScope scope(ranks.of(rank));
      steps[r] = step(*networks[r], (batches[r] + i).contiguous(c.format), targets[r], mean * size);
    });
    CHECK(errors == std::vector<std::string>(networks.size(), ""));
    CHECK(ranks.sums() == 2);
    std::vector<at::Tensor> outputs, gradients;
    for (const Step& s : steps) outputs.push_back(s.output), gradients.push_back(s.input_gradient / size);
    CHECK(distance(torch::cat(outputs), expected.output) < 1e-5);
    CHECK(distance(torch::cat(gradients), expected.input_gradient) < 1e-5);
    for (const Step& s : steps)
      if (s.output.numel() > 0) CHECK(s.output.suggest_memory_format() == expected.output.suggest_memory_format());
  }
  for (const auto& item : whole.named_parameters()) {
    at::Tensor average = torch::zeros_like(item.value());
    for (const auto& network : networks) average += network->named_parameters()[item.key()].grad() / size;
    INFO(item.key());
    CHECK(distance(average, item.value().grad()) < 1e-5);
  }
  for (const auto& item : whole.named_buffers())
    for (const auto& network : networks) {
      INFO(item.key());
      CHECK(distance(network->named_buffers()[item.key()].to(torch::kDouble), item.value().to(torch::kDouble)) < 1e-6);
      CHECK(torch::equal(network->named_buffers()[item.key()], networks[0]->named_buffers()[item.key()]));
    }
}

}  // namespace

TEST_CASE("Outputs, gradients and running statistics are those of one process with the whole batch",
          "[sync_batch_norm]") {
  at::set_num_threads(1);
  check({"two dimensions", {12, channels}, {6, 6}});
  check({"three dimensions", {8, channels, 7}, {4, 4}});
  check({"four dimensions", {6, channels, 4, 3}, {2, 2, 2}});
  check({"five dimensions", {4, channels, 3, 2, 3}, {2, 2}});
  Case last{"channels last", {6, channels, 4, 3}, {3, 3}};
  last.format = at::MemoryFormat::ChannelsLast;
  check(last);
  Case last3d{"channels last, five dimensions", {4, channels, 3, 2, 3}, {2, 2}};
  last3d.format = at::MemoryFormat::ChannelsLast3d;
  check(last3d);
}

TEST_CASE("Batches of different sizes, of one row and of none", "[sync_batch_norm]") {
  check({"uneven", {9, channels}, {7, 2}});
  check({"uneven, with space", {7, channels, 3, 3}, {1, 4, 2}});
  check({"one row each, with space", {3, channels, 2, 2}, {1, 1, 1}});
  check({"a rank without rows", {5, channels, 2, 2}, {3, 0, 2}});
}

TEST_CASE("Without weight and bias, without running statistics, with their mean over all batches",
          "[sync_batch_norm]") {
  Case plain{"no weight", {12, channels, 3}, {6, 6}};
  plain.affine = false;
  check(plain);
  plain.tracked = false;
  check(plain);
  Case mean{"no momentum", {12, channels}, {4, 8}};
  mean.momentum = c10::nullopt;
  check(mean);
  mean.affine = false;
  mean.tracked = false;
  mean.momentum = 0.1;
  check(mean);
}
