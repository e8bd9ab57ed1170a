// Models for runs with several devices in one process: one whose replicas log, draw random numbers and fail in every
// way, and one that places its own parts.
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <levin/metrics.hpp>
#include <levin/torch.hpp>

#include <mutex>

#include "script.hpp"

namespace {

// Replicas run their steps concurrently.
void tell(const std::string& line) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  scripted::record(line);
}

levin::LogOptions reduced(const char* how) {
  levin::LogOptions options = levin::on_step | levin::on_epoch;
  options.reduce_fx = how;
  return options;
}

const char* const deeds[] = {"nothing", "throw", "drop_output", "odd_output", "twice_other", "no_loss", nullptr};

struct Replicated : levin::Model {
  static constexpr levin_option options[] = {
      levin::choice("do", "\"nothing\"", "what one of the replicas does", deeds),
      levin::integer("replica", "1", "which of the instances does it"),
      levin::number("dropout", "0", "probability", 0, 1),
      levin::flag("step_end", "false", "the loss is made of the outputs of all replicas"),
      levin::integer("odd_instance", "-1", "the instance that is another model, or cannot be made if negative"),
  };
  static inline int64_t instances = 0;
  const std::string deed;
  const int64_t replica, instance;
  const bool has_step_end;
  torch::nn::Linear in{nullptr}, out{nullptr};
  torch::nn::Dropout dropout{nullptr};
  torch::Tensor seen;
  levin::metrics::AUROC auroc{2};
  levin::metrics::Mean average;
  int64_t batches = 0;  // completed batches, counted by the first instance only

  explicit Replicated(const levin::Args& o)
      : deed(o.text("do")), replica(o.integer("replica")), instance(instances++), has_step_end(o.flag("step_end")) {
    if (o.integer("odd_instance") == -instance - 10) throw levin::Error(LEVIN_E_STATE, "there is one of me");
    const int64_t width = o.integer("odd_instance") == instance ? 9 : 8;
    in = register_module("in", torch::nn::Linear(data().input_size(), width));
    dropout = register_module("dropout", torch::nn::Dropout(o.number("dropout")));
    seen = register_buffer("seen", torch::zeros({1}));
  }
  void save(levin::Writer out_of) const { out_of.put("batches", batches); }
  void load(levin::Reader from) { from.get("batches", batches); }
  void setup(const levin::Event& event) { tell("setup " + std::to_string(instance) + " " + event.run().stage()); }
  void configure_model(const levin::Event&) {
    out = register_module("out", torch::nn::Linear(in->options.out_features(), 1));
  }
  void teardown(const levin::Event&) { tell("teardown " + std::to_string(instance)); }
  torch::Tensor predicted(const levin::Batch& batch) { return out(dropout(in(batch.input()).tanh())); }

  void log_all(const torch::Tensor& x) {
    log("mean", x.mean(), reduced("mean"));
    log("rows", static_cast<double>(x.size(0)), reduced("sum"));
    log("least", x.min(), reduced("min"));
    log("most", x.max().item<double>(), reduced("max"));
    levin::LogOptions sized = reduced("mean");
    sized.batch_size = x.size(0);
    log("sized", x.mean().item<double>(), sized);
    auroc.update(x, x.gt(0.1));
    levin::LogOptions epoch_alone = levin::on_epoch;
    epoch_alone.on_step = 0;
    levin::metrics::log(*this, "auroc", auroc, epoch_alone);
    log("batches", static_cast<double>(batches), reduced("max"));
    log("batches_least", static_cast<double>(batches), reduced("min"));
    average.update(x);
    levin::metrics::log(*this, "average", average, reduced("mean"));
    run().print("said once");
  }
  levin::Outputs training_step(const levin::Batch& batch, int64_t index) {
    const torch::Tensor x = batch.input().select(1, 0);
    const bool acts = instance == replica;
    if (deed == "throw" && acts) throw std::runtime_error("scripted failure");
    if (deed == "no_loss" && acts) return {};
    if (dropout->options.p() > 0)
      tell("draws " + std::to_string(index) + " " + std::to_string(instance) + " " +
           std::to_string(torch::rand({1}).item<double>()));
    seen += 1;
    log_all(x);
    if (deed == "twice_other" && acts) log("rows", 1.0, levin::on_step);
    const torch::Tensor errors = (predicted(batch) - batch.target()).pow(2);
    levin::Outputs made{has_step_end ? errors : errors.mean(),
                        {{"rows", torch::full({}, batch.rows(), torch::kLong)}, {"each", x.detach()}}};
    if (deed == "drop_output" && acts) made.extras.pop_back();
    if (deed == "odd_output" && acts) made.extras[1].second = torch::zeros({2, 2});
    return made;
  }
  levin::Outputs training_step_end(const levin::Outputs& whole) {
    if (!has_step_end) return whole;
    tell("ends " + std::to_string(whole.loss.size(0)));
    log("ended", whole.loss.mean());
    return {whole.loss.mean(), whole.extras};
  }
  void validation_step(const levin::Batch& batch) { log("val", (predicted(batch) - batch.target()).pow(2).mean()); }
  void on_train_batch_end(const levin::Event& event) {
    ++batches;
    if (!event.output("rows")) return tell("outputs none");
    const torch::Tensor rows = levin::to_torch(event.output("rows")), each = levin::to_torch(event.output("each"));
    tell("outputs " + std::to_string(rows.item<int64_t>()) + " " + std::to_string(each.size(0)));
  }
  void on_train_end(const levin::Event&) { tell("seen " + std::to_string(seen.item<float>())); }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("sgd", {{"lr", 0.1}, {"momentum", 0.9}}); }
};

// Two layers, each on its own device.
struct Split : levin::Model {
  torch::nn::Linear in{nullptr}, out{nullptr};
  std::vector<torch::Device> placed;
  explicit Split(const levin::Args&) {
    in = register_module("in", torch::nn::Linear(data().input_size(), 8));
    out = register_module("out", torch::nn::Linear(8, 1));
  }
  void setup(const levin::Event&) {
    placed = devices();
    std::string line = "devices";
    for (const torch::Device& device : placed) line += " " + device.str();
    tell(line);
    in->to(placed.front());
    out->to(placed.back());
  }
  torch::Tensor training_step(const levin::Batch& batch) {
    const torch::Tensor hidden = in(batch.input()).tanh().to(placed.back());
    const torch::Tensor loss = torch::mse_loss(out(hidden), batch.target().to(placed.back()));
    log("loss", loss);
    return loss;
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("adamw", {{"lr", 0.01}}); }
};

}  // namespace

LEVIN_PLUGIN("levin.test.replicas", "1.0.0", "Apache-2.0",
             levin::model<Replicated>("replicated", "Logs, draws and fails in its steps"),
             levin::model<Split>("split", "On several devices"))
