// Self-supervised pre-training with two views of each row: SimCLR (Chen et al., "A Simple Framework for Contrastive
// Learning of Visual Representations", 2020, https://arxiv.org/abs/2002.05709).
#pragma once
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "levin/torch/task_base.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// The projections of two views, [rows, width] each, of length 1.
struct Views {
  torch::Tensor first, second;
};
inline Views views_of(const torch::Tensor& projections) {
  const torch::Tensor length = projections.norm(2, {1}, /*keepdim=*/true).clamp_min(1e-12);
  const std::vector<torch::Tensor> halves = (projections / length).chunk(2);
  return {halves[0], halves[1]};
}

// The similarities of one view's rows with all rows, those with the other view first, as scores of a classification
// whose class is the other view of the same row. partner: index of each row among all rows.
inline torch::Tensor pair_scores(const torch::Tensor& rows, const torch::Tensor& others, const torch::Tensor& same_view,
                                 const torch::Tensor& partner, double temperature) {
  const torch::Tensor itself = at::arange(same_view.size(0), partner.options()).unsqueeze(0).eq(partner.unsqueeze(1));
  const torch::Tensor negatives =
      rows.matmul(same_view.t()).masked_fill(itself, -std::numeric_limits<double>::infinity());
  return at::cat({rows.matmul(others.t()), negatives}, 1) / temperature;
}

struct Contrast {
  torch::Tensor loss;  // NT-Xent, the mean over the rows of both views
  torch::Tensor acc;   // fraction of them whose most similar row is their other view
};
// own: rows from, from + 1, ... of `all`, whose other rows are negatives.
inline Contrast nt_xent(const Views& own, const Views& all, int64_t from, double temperature) {
  const torch::Tensor partner =
      at::arange(from, from + own.first.size(0), own.first.options().dtype(at::kLong).requires_grad(false));
  const torch::Tensor scores = at::cat({pair_scores(own.first, all.second, all.first, partner, temperature),
                                        pair_scores(own.second, all.first, all.second, partner, temperature)}),
                      target = at::cat({partner, partner});
  return {at::cross_entropy_loss(scores, target), scores.detach().argmax(1).eq(target).to(at::kFloat).mean()};
}

// The rest of the projection head behind the network's last layer, which is the first linear layer of the head.
class Projection : public torch::nn::Module {
 public:
  explicit Projection(int64_t width)
      : norm_(register_module("norm", torch::nn::BatchNorm1d(width))),
        out_(register_module("out", torch::nn::Linear(width, width))) {}
  torch::Tensor forward(const torch::Tensor& scores) { return out_(norm_(scores).relu()); }

 private:
  torch::nn::BatchNorm1d norm_;
  torch::nn::Linear out_;
};

}  // namespace detail

// The network gets `projection` outputs in place of those for the target, and a module `projection`. The data gives the
// second view of its input x as a field x2 of the same shape (levin/images/batch.hpp). Logs train_loss and train_acc,
// val_ and test_, where acc is the fraction of rows whose most similar row is their other view. In training the
// negatives are the rows of all ranks, in validation and test those of the rank's own batch. predict_step returns the
// projections of the input [B, projection], of length 1.
template <class Net>
class ContrastiveTask : public detail::SupervisedTask<Net, void> {
  using Base = detail::SupervisedTask<Net, void>;

 public:
  ContrastiveTask(const Args& args, const DataInfo& data)
      : Base(args, made(args, data), nullptr, 0),
        temperature_(args.number("temperature")),
        width_(args.integer("projection")),
        head_(std::dynamic_pointer_cast<detail::Projection>(this->module().named_children()["projection"])),
        second_(second_view_of(data)) {}

  Outputs training_step(const Batch& batch) {
    const torch::Tensor z = projections(batch);
    const detail::Views mine = detail::views_of(z);
    const auto ranks = this->run().world_size();
    if (ranks == 1) return logged("train_", detail::nt_xent(mine, mine, 0, temperature_), prog_bar);
    const std::vector<torch::Tensor> each = TorchDist(this->run()).all_gather(z, Group(), /*sync_grads=*/true);
    std::vector<torch::Tensor> first, second;
    int64_t from = 0;
    for (size_t rank = 0; rank < each.size(); ++rank) {
      const detail::Views views = detail::views_of(each[rank]);
      if (rank < this->run().rank()) from += views.first.size(0);
      first.push_back(views.first), second.push_back(views.second);
    }
    return logged("train_", detail::nt_xent(mine, {at::cat(first), at::cat(second)}, from, temperature_), prog_bar);
  }
  Outputs validation_step(const Batch& batch, int64_t, int64_t) { return evaluate(batch, "val_"); }
  Outputs test_step(const Batch& batch, int64_t, int64_t) { return evaluate(batch, "test_"); }
  Outputs predict_step(const Batch& batch) {
    const torch::Tensor z = projected(batch.input());
    return {z / z.norm(2, {1}, /*keepdim=*/true).clamp_min(1e-12), {}};
  }

  static std::pair<const levin_option*, uint32_t> option_table() {
    static const std::vector<levin_option> all = Base::joined(
        {with(number("temperature", "0.5", "simclr: temperature of the similarities", 1e-3, 1e3), LEVIN_OPT_TUNABLE),
         integer("projection", "128", "simclr: width of both layers of the projection head", 1, 65536)});
    return {all.data(), static_cast<uint32_t>(all.size())};
  }

 private:
  static std::shared_ptr<Net> made(const Args& args, const DataInfo& data) {
    const int64_t width = args.integer("projection");
    std::shared_ptr<Net> net = detail::make_network<Net>(args, data.with_target(target("y", width)));
    net->register_module("projection", std::make_shared<detail::Projection>(width));
    return net;
  }
  static size_t second_view_of(const DataInfo& data) {
    const Field& input = data.input();
    for (size_t i = 0; i < data.fields().size(); ++i)
      if (data.fields()[i].name == input.name + "2" && data.fields()[i].shape == input.shape) return i;
    throw Error(LEVIN_E_INVALID, "--model.task simclr needs two views of each row, and the data has no field '" +
                                     input.name + "2' of the shape " + shape_text(input.shape) +
                                     ": give --data.views 2 and --data.transforms that are random");
  }
  torch::Tensor projected(torch::Tensor x) {
    const torch::Tensor y = this->prediction(this->module().forward(x));
    if (y.dim() != 2 || y.size(1) != width_)
      throw Error(LEVIN_E_INVALID, "--model.task simclr needs a vector of " + std::to_string(width_) +
                                       " scores for each row (--model.projection), and forward returned " +
                                       detail::shape_text(y));
    return head_->forward(y);
  }
  // One pass for both views: [2 B, projection].
  torch::Tensor projections(const Batch& batch) {
    return projected(at::cat({batch.input(), detail::tensor_of(batch, this->data(), second_)}));
  }
  Outputs evaluate(const Batch& batch, const std::string& prefix) {
    const detail::Views mine = detail::views_of(projections(batch));
    return logged(prefix, detail::nt_xent(mine, mine, 0, temperature_), prog_bar | sync_dist);
  }
  Outputs logged(const std::string& prefix, const detail::Contrast& contrast, const LogOptions& options) {
    this->log(prefix + "loss", contrast.loss, options);
    this->log(prefix + "acc", contrast.acc, options);
    return {contrast.loss, {}};
  }

  const double temperature_;
  const int64_t width_;
  const std::shared_ptr<detail::Projection> head_;
  const size_t second_;  // index of the second view's field
};

}  // namespace levin
#pragma GCC visibility pop
