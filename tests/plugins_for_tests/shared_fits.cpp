// Models for fits of several processes that train the same for any number of processes. One of the processes performs
// an action at one of the batches.
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <ctime>

#include "script.hpp"

namespace {

const char* const deeds[] = {"nothing",    "throw",       "exit",    "kill",    "freeze",  "terminate", "stop", "skip",
                             "skip_epoch", "leave_epoch", "no_loss", "barrier", "warn",    "no_memory", "save", "leap",
                             "linger",     "one_sided",   "nan",     "blow_up", "no_grad", nullptr};
const char* const clips[] = {"none", "norm", "value", nullptr};
const char* const spares[] = {"none", "used_by_first", "unused", nullptr};
const char* const optimizer_names[] = {"sgd", "adamw", "lbfgs", "nadam", "lamb", nullptr};

constexpr levin_option all_options[] = {
    levin::choice("do", "\"nothing\"", "what happens", deeds),
    levin::text("at", "\"training_step\"", "the hook in which it happens"),
    levin::integer("rank", "1", "the process in which it happens"),
    levin::integer("batch", "1", "the batch in which it happens"),
    levin::integer("epoch", "0", "the epoch in which it happens"),
    levin::choice("optimizer", "\"sgd\"", "of all parameters", optimizer_names),
    levin::choice("spare", "\"none\"", "a layer that not every process uses", spares),
    levin::number("dropout", "0", "probability", 0, 1),
    levin::flag("norm", "false", "with batch norm"),
    levin::choice("clip", "\"none\"", "how a model that steps its optimizers clips gradients", clips),
    levin::flag("together", "false", "the gan computes the gradients of both optimizers, then steps both"),
    levin::integer("step_every", "1", "batches from one step of the gan to the next, if it steps both together"),
    levin::integer("wider_rank", "-1", "the process whose model is another"),
};

int number_of(const char* variable, int otherwise) {
  const char* value = std::getenv(variable);
  return value ? std::atoi(value) : otherwise;
}
const int rank = number_of("RANK", 0), world = number_of("WORLD_SIZE", 1);

std::string exact(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

void tell(const std::string& line) { scripted::record(std::to_string(rank) + ": " + line); }

// The base class of the models.
struct Told : levin::Model {
  static constexpr const levin_option (&options)[13] = all_options;
  const std::string deed, place, optimizer, spare;
  const int64_t rank_of_deed, batch_of_deed, epoch_of_deed;
  explicit Told(const levin::Args& o)
      : deed(o.text("do")),
        place(o.text("at")),
        optimizer(o.text("optimizer")),
        spare(o.text("spare")),
        rank_of_deed(o.integer("rank")),
        batch_of_deed(o.integer("batch")),
        epoch_of_deed(o.integer("epoch")) {}
  // rank -1 = all ranks.
  bool is_due(const char* hook, int64_t batch) const {
    return hook == place && (rank == rank_of_deed || rank_of_deed < 0) && batch == batch_of_deed &&
           current_epoch() == epoch_of_deed;
  }
  void at(const char* hook, int64_t batch) {
    if (!is_due(hook, batch)) return;
    if (deed != "nothing") tell("does " + deed);
    if (deed == "throw") throw std::runtime_error("scripted failure");
    if (deed == "exit") std::exit(0);
    if (deed == "kill") std::raise(SIGKILL);
    if (deed == "freeze") std::raise(SIGSTOP);
    if (deed == "terminate") std::raise(SIGTERM);
    if (deed == "stop") run().stop("the script");
    if (deed == "save") run().save_checkpoint("of_one.ckpt");
    if (deed == "warn") warn("a scripted warning");
    if (deed == "leave_epoch") run().skip_epoch();
    if (deed == "barrier") levin::TorchDist(run()).barrier();
    const timespec long_time{30, 0};
    if (deed == "linger") nanosleep(&long_time, nullptr);  // ended by a signal
  }
  levin::Status on_train_batch_start(const levin::Event& e) {
    const bool due = is_due("on_train_batch_start", e.batch_idx());
    at("on_train_batch_start", e.batch_idx());
    return due && deed == "skip" ? LEVIN_SKIP : due && deed == "skip_epoch" ? LEVIN_SKIP_EPOCH : LEVIN_OK;
  }
  // One rank starts a collective alone, in a group with no other use.
  void one_sided() {
    const levin::TorchDist dist(run());
    const levin::Group group = dist.new_group({0, 1});
    if (rank == rank_of_deed) dist.all_reduce_async(torch::ones({1}), LEVIN_REDUCE_SUM, group);
  }
  void in(const char* hook) { at(hook, batch_of_deed); }
  void setup() { at("setup", 0); }
  void on_fit_start(const levin::Event&) {
    if (deed == "one_sided") one_sided();
    in("on_fit_start");
  }
  void on_sanity_check_start(const levin::Event&) { in("on_sanity_check_start"); }
  void on_sanity_check_end(const levin::Event&) { in("on_sanity_check_end"); }
  void on_train_start(const levin::Event&) { in("on_train_start"); }
  void on_train_epoch_start(const levin::Event&) { in("on_train_epoch_start"); }
  void on_before_backward(const levin::Event& e) { at("on_before_backward", e.batch_idx()); }
  void on_before_optimizer_step(const levin::Event& e) {
    tell("rate " + exact(run().lr(0, 0)));
    at("on_before_optimizer_step", e.batch_idx());
  }
  void on_validation_start(const levin::Event&) { in("on_validation_start"); }
  void on_validation_epoch_end(const levin::Event&) { in("on_validation_epoch_end"); }
  void on_validation_end(const levin::Event&) { in("on_validation_end"); }
  void on_train_epoch_end(const levin::Event&) { in("on_train_epoch_end"); }
  void on_train_end(const levin::Event&) {
    double sum = 0;
    for (const torch::Tensor& p : parameters()) sum += p.detach().to(torch::kDouble).abs().sum().item<double>();
    tell("weights " + exact(sum));
    in("on_train_end");
  }
  void on_fit_end(const levin::Event&) { in("on_fit_end"); }
  void on_train_batch_end(const levin::Event& e) {
    tell("ends " + std::to_string(e.epoch()) + " " + std::to_string(e.batch_idx()));
    at("on_train_batch_end", e.batch_idx());
  }
};

torch::nn::Linear layer(int64_t in, int64_t out) { return torch::nn::Linear(in, out); }

// A regression.
struct Shared : Told {
  torch::nn::Linear in{nullptr}, out{nullptr}, rest{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
  torch::nn::Dropout dropout{nullptr};
  explicit Shared(const levin::Args& o) : Told(o) {
    const int64_t width = o.integer("wider_rank") == rank ? 65 : 64;
    in = register_module("in", layer(data().input_size(), width));
    if (o.flag("norm")) norm = register_module("norm", torch::nn::BatchNorm1d(width));
    dropout = register_module("dropout", torch::nn::Dropout(o.number("dropout")));
    if (spare != "none") rest = register_module("rest", layer(1, 160));
    out = register_module("out", layer(width, 1));
  }
  torch::Tensor hidden(const levin::Batch& batch) {
    const torch::Tensor made = in(batch.input());
    return norm ? norm(made) : made;
  }
  // "no_grad" freezes a parameter, which may have a gradient from the previous batch.
  levin::Status on_train_batch_start(const levin::Event& e) {
    if (deed == "no_grad" && is_due("on_train_batch_start", e.batch_idx())) out->weight.requires_grad_(false);
    return Told::on_train_batch_start(e);
  }
  torch::Tensor training_step(const levin::Batch& batch, int64_t index) {
    at("training_step", index);
    if (deed == "no_memory" && rank == rank_of_deed && batch.rows() > batch_of_deed)
      throw std::runtime_error("out of memory, as the script says");
    if (deed == "no_loss" && is_due("training_step", index)) return {};
    torch::Tensor loss = torch::mse_loss(out(dropout(hidden(batch).tanh())), batch.target());
    if (deed == "leap" && is_due("training_step", index)) loss = loss * 1e4;
    if (deed == "nan" && is_due("training_step", index)) loss = loss * std::nan("");
    if (spare == "used_by_first" && rank == 0) loss = loss + rest(torch::ones({1, 1})).pow(2).sum() * world;
    log("loss", loss, levin::on_step | levin::on_epoch | levin::sync_dist);
    return loss;
  }
  void validation_step(const levin::Batch& batch, int64_t index) {
    at("validation_step", index);
    log("val", torch::mse_loss(out(hidden(batch).tanh()), batch.target()), levin::on_epoch | levin::sync_dist);
  }
  void configure_optimizers(levin::OptimPlan& plan) {
    if (optimizer == "sgd")
      plan.optimizer("sgd", {{"lr", 0.05}, {"momentum", 0.9}});
    else
      plan.optimizer(optimizer.c_str(), {{"lr", optimizer == "lbfgs" ? 0.1 : 0.01}});
    plan.scheduler("step", {{"step_size", 2}, {"gamma", 0.9}}, levin::Interval::step);
  }
};

// An embedding with sparse gradients.
struct Embedded : Told {
  torch::nn::Embedding table{nullptr};
  torch::nn::Linear out{nullptr};
  explicit Embedded(const levin::Args& o) : Told(o) {
    table = register_module("table", torch::nn::Embedding(torch::nn::EmbeddingOptions(5, 4).sparse(true)));
    out = register_module("out", layer(4, 1));
  }
  torch::Tensor embedded(const levin::Batch& batch) {
    return table(batch.input().select(1, 0).abs().mul(10).to(torch::kLong).remainder(5));
  }
  torch::Tensor training_step(const levin::Batch& batch, int64_t index) {
    at("training_step", index);
    return torch::mse_loss(out(embedded(batch)), batch.target());
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("sgd", {{"lr", 0.05}}); }
};

// Also has parameters and a buffer of complex numbers.
struct Kinds : Embedded {
  torch::Tensor turns, weight;
  explicit Kinds(const levin::Args& o) : Embedded(o) {
    turns = register_buffer("turns", torch::polar(torch::ones({4}), torch::arange(4, torch::kFloat)));
    weight = register_parameter("weight", torch::polar(torch::rand({data().input_size(), 4}), torch::rand({1, 4})));
  }
  torch::Tensor training_step(const levin::Batch& batch, int64_t) {
    const torch::Tensor mixed = torch::matmul(batch.input().to(torch::kComplexFloat), weight.conj()) * turns;
    return torch::mse_loss(out(torch::real(mixed) + torch::imag(mixed) + embedded(batch)), batch.target());
  }
  void on_train_end(const levin::Event&) {
    char text[64];
    std::snprintf(text, sizeof text, "has %.4f %.4f", weight.abs().sum().item<double>(),
                  table->weight.abs().sum().item<double>());
    tell(text);
  }
};

// A generator and a discriminator, with manual or automatic optimization.
struct Pair : Told {
  torch::nn::Linear generator{nullptr}, discriminator{nullptr};
  explicit Pair(const levin::Args& o) : Told(o) {
    generator = register_module("generator", layer(data().input_size(), data().input_size()));
    discriminator = register_module("discriminator", layer(data().input_size(), 1));
  }
  torch::Tensor loss_of(const levin::Batch& batch, int64_t optimizer_idx) {
    const torch::Tensor made = generator(batch.input());
    if (optimizer_idx == 0) return (discriminator(made) - 1).pow(2).mean();
    return (discriminator(batch.input()) - 1).pow(2).mean() + discriminator(made.detach()).pow(2).mean();
  }
  void configure_optimizers(levin::OptimPlan& plan) {
    plan.optimizer("adamw", {{"lr", 0.01}}, {{"", {"generator.*"}, {}}});
    plan.optimizer("sgd", {{"lr", 0.01}, {"momentum", 0.5}}, {{"", {"discriminator.*"}, {}}});
  }
};
struct Gan : Pair {
  static constexpr bool automatic_optimization = false;
  const std::string clip;
  const bool together;
  const int64_t step_every;
  explicit Gan(const levin::Args& o)
      : Pair(o), clip(o.text("clip")), together(o.flag("together")), step_every(o.integer("step_every")) {}
  // Returns zero with infinite gradients.
  torch::Tensor infinite_slope(int64_t optimizer_idx) const {
    const torch::Tensor sum = (optimizer_idx == 0 ? generator : discriminator)->weight.sum();
    return (sum - sum.detach()).sqrt();
  }
  // The first optimizer's gradients are clipped, and therefore reduced, before the second one's are computed.
  void train_together(const levin::Batch& batch, int64_t index) {
    const bool due = is_due("training_step", index);
    for (uint32_t i = 0; i < 2; ++i) {
      optimizers(i).zero_grad();
      if (!due || deed != "no_loss") {
        const torch::Tensor loss = loss_of(batch, i);
        manual_backward(due && deed == "nan" && i == 1 ? loss * std::nan("") : loss);
      }
      if (i == 0) optimizers(i).clip_gradients(0.01, "norm");
    }
    for (uint32_t i = 0; i < 2 && (index + 1) % step_every == 0; ++i) optimizers(i).step();
  }
  torch::Tensor training_step(const levin::Batch& batch, int64_t index) {
    at("training_step", index);
    torch::Tensor last;
    if (together) {
      train_together(batch, index);
      return last;
    }
    for (uint32_t i = 0; i < 2; ++i) {
      optimizers(i).toggle();
      last = loss_of(batch, i);
      if (deed == "blow_up" && is_due("training_step", index)) last = last + infinite_slope(i);
      optimizers(i).zero_grad();
      manual_backward(last);
      if (clip != "none") optimizers(i).clip_gradients(0.01, clip.c_str());
      optimizers(i).step();
      optimizers(i).untoggle();
    }
    return last.detach();
  }
};
struct Alternating : Pair {
  using Pair::Pair;
  torch::Tensor training_step(const levin::Batch& batch, int64_t index, int64_t optimizer_idx) {
    at("training_step", index);
    return loss_of(batch, optimizer_idx);
  }
};

// Predicts the next number of a row, with a hidden state that continues from split to split.
struct Recurrent : Told {
  torch::nn::Linear cell{nullptr}, out{nullptr};
  explicit Recurrent(const levin::Args& o) : Told(o) {
    cell = register_module("cell", layer(9, 8));
    out = register_module("out", layer(8, 1));
  }
  std::vector<std::vector<torch::Tensor>> tbptt_split_batch(const levin::Batch& batch, int64_t size) {
    std::vector<std::vector<torch::Tensor>> splits;
    for (const torch::Tensor& part : batch.input().split(size, 1)) splits.push_back({part, batch.target()});
    return splits;
  }
  levin::Outputs training_step(const levin::Batch& batch, const levin::StepInfo& info) {
    at("training_step", info.batch_idx);
    torch::Tensor state = info.hiddens.empty() ? torch::zeros({batch[0].size(0), 8}) : info.hiddens[0], loss;
    for (int64_t t = 0; t < batch[0].size(1); ++t) {
      const torch::Tensor x = batch[0].narrow(1, t, 1), error = (out(state) - x).pow(2).mean();
      loss = loss.defined() ? loss + error : error;
      state = cell(torch::cat({state, x}, 1)).tanh();
    }
    return {loss + state.pow(2).mean(), {}, {state}};
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("sgd", {{"lr", 0.1}}); }
};

}  // namespace

LEVIN_PLUGIN("levin.test.shared_fits", "1.0.0", "Apache-2.0", levin::model<Shared>("shared", "A regression"),
             levin::model<Embedded>("embedded", "Sparse gradients"),
             levin::model<Kinds>("kinds", "Complex parameters and sparse gradients"),
             levin::model<Gan>("gan", "Two optimizers, stepped by the model"),
             levin::model<Alternating>("alternating", "Two optimizers, stepped by the loop"),
             levin::model<Recurrent>("sequences", "Hidden state"))
