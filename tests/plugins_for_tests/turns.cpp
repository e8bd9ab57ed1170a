// Models with several optimizers, hidden state and the hooks of older releases, with data of their own.
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

#include "levin/data_module.hpp"
#include "script.hpp"

namespace {

using scripted::record;

// Rows of shape [T] filled with their index; one or two train loaders of different lengths.
struct Numbers : levin::DataModule {
  const int64_t train, second, steps;
  const bool weighted;
  explicit Numbers(const levin::Args& o)
      : train(o.integer("rows")),
        second(o.integer("second")),
        steps(o.integer("steps")),
        weighted(o.flag("weighted")) {}
  std::vector<levin::Field> fields() { return {levin::input("x", levin::float32, {steps})}; }
  int64_t loaders(levin::Split split) { return split == levin::Split::train && second > 0 ? 2 : 1; }
  int64_t rows(levin::Split split, int64_t loader) {
    if (split != levin::Split::train) return 0;
    return loader == 0 ? train : second;
  }
  void fill(const levin::Fill& f, const levin_view* out) {
    auto* x = static_cast<float*>(out[0].data);
    for (int64_t i = 0; i < f.n; ++i)
      for (int64_t t = 0; t < steps; ++t) x[i * steps + t] = static_cast<float>(f.indices[i] + 100 * f.loader);
  }
  void dataloader(levin::LoaderPlan& plan) {
    record("data.dataloader " + std::to_string(plan.loader()) + " " + std::to_string(plan.epoch()));
    plan.batch_size(1);
    plan.shuffle(false);
    if (!weighted) return;
    std::vector<double> weights(static_cast<size_t>(train));
    weights[2] = 1;
    plan.weighted(std::move(weights));
  }
};

constexpr levin_option all_options[] = {
    levin::integer("rows", "4", "rows of the first train loader", 0, 1000),
    levin::integer("second", "0", "of the second; 0: there is one", 0, 1000),
    levin::integer("steps", "1", "numbers in a row", 1, 100),
    levin::flag("weighted", "false", "draw nothing but row 2"),
    levin::integer("first_turns", "0", "frequency of optimizer 0", 0, 10),
    levin::integer("second_turns", "0", "frequency of optimizer 1", 0, 10),
};

struct Turns : levin::Model {
  static constexpr const levin_option (&options)[6] = all_options;
  levin::OwnData<Numbers> own_data;
  const int64_t first_turns, second_turns;
  torch::nn::Linear a{nullptr}, b{nullptr};
  explicit Turns(const levin::Args& o)
      : own_data(o), first_turns(o.integer("first_turns")), second_turns(o.integer("second_turns")) {
    a = register_module("a", torch::nn::Linear(1, 1));
    b = register_module("b", torch::nn::Linear(1, 1));
  }
  torch::Tensor training_step(const levin::Batch& batch, int64_t batch_idx, int64_t optimizer_idx) {
    record("step " + std::to_string(batch_idx) + " " + std::to_string(optimizer_idx) + " grad " +
           std::to_string(a->weight.requires_grad()) + std::to_string(b->weight.requires_grad()) + " lr " +
           std::to_string(optimizers(static_cast<uint32_t>(optimizer_idx)).get("lr")).substr(0, 5));
    return b(a(batch[0].narrow(1, 0, 1))).mean();
  }
  levin::Outputs training_step_end(const levin::Outputs& out) { return {out.loss, {{"twice", out.loss.detach() * 2}}}; }
  void training_epoch_end(const std::vector<levin::Outputs>& outputs) {
    record("epoch_end " + std::to_string(outputs.size()) + " " + outputs[0].extras[0].first);
  }
  void on_train_end(const levin::Event& e) { record("global_step " + std::to_string(e.global_step())); }
  void configure_optimizers(levin::OptimPlan& plan) {
    plan.optimizer("sgd", {{"lr", 1.0}}, {{"", {"a.*"}, {}}}, first_turns);
    plan.optimizer("sgd", {{"lr", 1.0}}, {{"", {"b.*"}, {}}}, second_turns);
    plan.scheduler("step", {{"step_size", 1}, {"gamma", 0.5}}, levin::Interval::step, 1);
  }
};

// Its hidden state counts the numbers that it has seen.
struct Recurrent : levin::Model {
  static constexpr const levin_option (&options)[6] = all_options;
  levin::OwnData<Numbers> own_data;
  torch::Tensor w;
  explicit Recurrent(const levin::Args& o) : own_data(o) { w = register_parameter("w", torch::ones({1})); }
  levin::Outputs training_step(const levin::Batch& batch, const levin::StepInfo& info) {
    const bool first = info.hiddens.empty();
    const torch::Tensor before = first ? torch::zeros({1}) : info.hiddens[0];
    record("split " + std::to_string(info.batch_idx) + " " + std::to_string(info.split_idx) + " width " +
           std::to_string(batch[0].size(1)) + " seen " + std::to_string(before.item<int64_t>()) +
           (before.requires_grad() ? " attached" : ""));
    log("width", static_cast<double>(batch[0].size(1)));
    const torch::Tensor seen = before + w * 0 + static_cast<double>(batch[0].size(1));
    return {(w * batch[0]).mean() + seen.sum(), {}, {seen}};
  }
  void on_train_end(const levin::Event& e) { record("global_step " + std::to_string(e.global_step())); }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("sgd", {{"lr", 0.0}}); }
};

// Records the first number of each loader's batch.
struct Together : levin::Model {
  static constexpr const levin_option (&options)[6] = all_options;
  levin::OwnData<Numbers> own_data;
  torch::Tensor w;
  explicit Together(const levin::Args& o) : own_data(o) { w = register_parameter("w", torch::ones({1})); }
  torch::Tensor training_step(const levin::Batch& batch, const levin::StepInfo& info) {
    std::string line = "batch";
    for (const levin::Batch& b : info.batches)
      line += b ? " " + std::to_string(b[0].flatten()[0].item<int64_t>()) : " -";
    record(line);
    record("from loader " + std::to_string(info.dataloader_idx));
    return (w * batch[0]).mean();
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("sgd", {{"lr", 0.0}}); }
};

// L-BFGS in manual optimization, with a closure: (w - 3)^2.
struct Closure : levin::Model {
  static constexpr bool automatic_optimization = false;
  static constexpr const levin_option (&options)[6] = all_options;
  levin::OwnData<Numbers> own_data;
  torch::Tensor w;
  explicit Closure(const levin::Args& o) : own_data(o) { w = register_parameter("w", torch::zeros({1})); }
  void training_step(const levin::Batch&) {
    optimizers().step([&] {
      optimizers().zero_grad();
      manual_backward((w - 3).pow(2).sum());
    });
    record("w " + std::to_string(w.item<double>()).substr(0, 5));
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("lbfgs", {{"lr", 1.0}}); }
};

}  // namespace

LEVIN_PLUGIN("levin.test.turns", "1.0.0", "Apache-2.0", levin::model<Turns>("turns", "Two optimizers"),
             levin::model<Recurrent>("recurrent", "Hidden state"), levin::model<Together>("together", "Two loaders"),
             levin::model<Closure>("closure", "L-BFGS"))
