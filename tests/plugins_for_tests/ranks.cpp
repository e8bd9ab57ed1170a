// A model that logs with every way of reducing values across processes, and a stream, for runs of several processes.
// Records start with the rank.
#include <torch/nn/modules/linear.h>
#include <levin/metrics.hpp>
#include <levin/torch.hpp>

#include <cstdio>

#include "script.hpp"

namespace {

void tell(const std::string& line) {
  const char* rank = std::getenv("RANK");
  scripted::record(std::string(rank ? rank : "0") + ": " + line);
}

std::string exact(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

levin::LogOptions reduced(const char* how) {
  levin::LogOptions options = levin::sync_dist | levin::on_epoch;
  options.reduce_fx = how;
  return options;
}

const char* const step_logs[] = {"none", "synced", "own", nullptr};

// One weight. Logs the first numbers of the rows.
struct Teller : levin::Model {
  static constexpr levin_option options[] = {
      levin::choice("on_step", "\"none\"", "what validation_step logs on the step", step_logs),
      levin::flag("plateau", "false", "a schedule goes by what rank 0 alone has logged")};
  const std::string on_step;
  const bool plateau;
  torch::nn::Linear linear{nullptr};
  levin::metrics::AUROC auroc{2};

  explicit Teller(const levin::Args& o) : on_step(o.text("on_step")), plateau(o.flag("plateau")) {
    linear = register_module("linear", torch::nn::Linear(data().input_size(), 1));
  }
  torch::Tensor training_step(const levin::Batch& batch) {
    tell("trains " + exact(batch.input().select(1, 0).sum().item<double>()));
    const torch::Tensor loss = torch::mse_loss(linear(batch.input()), batch.target());
    log("own", loss);
    return loss;
  }
  void validation_step(const levin::Batch& batch, int64_t, int64_t loader) {
    const torch::Tensor x = batch.input().select(1, 0);
    tell("loader " + std::to_string(loader) + " has " + std::to_string(batch.rows()) + " rows");
    log("mean", x.mean(), reduced("mean"));
    log("rows", static_cast<double>(batch.rows()), reduced("sum"));
    log("least", x.min(), reduced("min"));
    log("most", x.max(), reduced("max"));
    log("val_own", x.mean());
    if (loader == 0) {
      auroc.update(x, batch.target().select(1, 0).gt(0.5));
      levin::metrics::log(*this, "auroc", auroc);
    }
    if (on_step != "none")
      log("step", x.sum(), on_step == "synced" ? levin::on_step | levin::sync_dist : levin::on_step);
  }
  torch::Tensor predict_step(const levin::Batch& batch) { return batch.input().select(1, 0); }
  void on_validation_end(const levin::Event& event) {
    if (event.stage() == levin::Stage::sanity) return;
    for (const auto& [name, value] : event.run().metrics()) tell("sees " + name + " " + exact(value));
    tell("would validate " + std::to_string(event.run().num_val_batches()));
  }
  void on_fit_start(const levin::Event& event) { event.run().print("said once"); }
  void on_train_epoch_end(const levin::Event& event) {
    tell("rate " + exact(event.run().lr(0, 0)) + " of " + exact(event.run().metric("own").value_or(-1)));
  }
  void configure_optimizers(levin::OptimPlan& plan) {
    plan.optimizer("sgd", {{"lr", 0.1}});
    if (plateau)
      plan.scheduler("reduce_on_plateau", {{"patience", 0}, {"factor", 0.5}}, levin::Interval::epoch, 0, "own");
  }
};

// A stream of unknown length. Its batches have two rows, which contain the index of the batch.
struct Numbered : levin::DataModule {
  static constexpr levin_option options[] = {levin::integer("batches", "5", "of each loader"),
                                             levin::integer("loaders", "1", "of each split")};
  const int64_t batches;
  std::vector<int64_t> next_;  // per loader
  explicit Numbered(const levin::Args& o)
      : batches(o.integer("batches")), next_(static_cast<size_t>(o.integer("loaders"))) {}
  int64_t loaders(levin::Split) { return static_cast<int64_t>(next_.size()); }
  std::vector<levin::Field> fields() {
    levin::Field y = levin::target("y", 0);
    y.dtype = levin::float32;
    y.shape = {1};
    return {levin::input("x", levin::float32, {2}), y};
  }
  int64_t rows(levin::Split, int64_t) { return -1; }
  void rewind(levin::Split, int64_t loader, int64_t) { next_[static_cast<size_t>(loader)] = 0; }
  bool next(levin::Split, int64_t loader, std::vector<levin_managed*>& out) {
    int64_t& number = next_[static_cast<size_t>(loader)];
    if (number == batches) return false;
    const auto value = static_cast<float>(number++);
    out = {levin::managed(std::vector<float>(4, value), {2, 2}), levin::managed(std::vector<float>{0, 1}, {2, 1})};
    return true;
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.ranks", "1.0.0", "Apache-2.0", levin::model<Teller>("teller", "Logs in every way"),
             levin::data_module<Numbered>("numbered", "A stream of numbered batches"))
