// Models of single suites. They record {"at": hook, ...} at the hooks that their suite checks, and {"parameters":
// {...}} at the end.
#include <torch/nn/modules/linear.h>

#include <levin/torch.hpp>

#include "conformance/plugins/script.hpp"

namespace scripted {
namespace {

double lr_of(const levin::Run& run, uint32_t group) {
  double value = 0;
  levin::detail::check(run.optim().get(run.raw(), 0, group, "lr", &value), "lr");
  return value;
}
json lrs_of(const levin::Run& run) {
  uint32_t groups = 0;
  const char* name = nullptr;
  levin::detail::check(run.optim().describe(run.raw(), 0, &name, &groups), "optimizer");
  json out = json::array();
  for (uint32_t g = 0; g < groups; ++g) out.push_back(lr_of(run, g));
  return out;
}

// One weight w = 1 and the loss (w - target)^2, or mean(w * x) without a target; SGD.
struct Tuned : levin::Model {
  static constexpr levin_option options[] = {
      levin::number("lr", "0.1", "of SGD"),
      levin::integer("hidden", "8", "of nothing"),
      levin::with(levin::number("target", "null", "of the weight"), LEVIN_OPT_NULLABLE),
      levin::with(levin::integer("out_of_memory_above", "null", "batch size that fits"), LEVIN_OPT_NULLABLE),
      script_option,
  };
  Script script;
  double lr, target = 0;
  int64_t most = -1;
  bool has_target;
  torch::Tensor w;
  explicit Tuned(const levin::Args& o)
      : script(o), lr(o.number("lr")), has_target(!o.is_null("target")), w(register_parameter("w", at::ones({}))) {
    if (has_target) target = o.number("target");
    if (!o.is_null("out_of_memory_above")) most = o.integer("out_of_memory_above");
  }
  torch::Tensor training_step(const levin::Batch& batch, const levin::StepInfo& info) {
    if (most >= 0 && run().batch_size() > most)
      throw std::runtime_error("CUDA out of memory. Tried to allocate 1.00 GiB");
    script.enter({"training_step", run(), info.batch_idx, info.dataloader_idx, batch.raw()}, json::array());
    return has_target ? (w - target).pow(2) : (w * batch[0]).mean();
  }
  void validation_step(const levin::Batch& batch, const levin::StepInfo& info) {
    script.enter({"validation_step", run(), info.batch_idx, info.dataloader_idx, batch.raw()}, json::array());
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("sgd", {{"lr", lr}}); }
  void teardown() { record({{"parameters", {{"w", w.item().toDouble()}}}}); }
};

// One weight w = 1 whose gradient is always 1; SGD with lr 0.1. checkpoints: folder in which a checkpoint is saved
// after each batch.
struct Steady : levin::Model {
  static constexpr levin_option options[] = {levin::text("checkpoints", "\"\"", "folder"), script_option};
  std::string folder;
  torch::Tensor w;
  explicit Steady(const levin::Args& o) : folder(o.text("checkpoints")), w(register_parameter("w", at::ones({}))) {}

  void write(const char* at, const levin::Run& run, const std::string& file = "") {
    json line = {{"at", at}, {"w", w.item().toDouble()}};
    if (!file.empty() && !folder.empty()) {
      line["checkpoint"] = folder + "/" + file;
      run.save_checkpoint(line["checkpoint"]);
    }
    record(line);
  }
  torch::Tensor training_step(const levin::Batch&) { return w * 1.0; }
  void validation_step(const levin::Batch&, const levin::StepInfo& info) {
    if (info.stage != levin::Stage::sanity) write("validation_step", run());
  }
  void on_train_batch_start(const levin::Event& e) {
    record({{"at", "on_train_batch_start"}, {"lr", lr_of(e.run(), 0)}});
  }
  void on_train_batch_end(const levin::Event& e) {
    write("on_train_batch_end", e.run(),
          "step_" + std::to_string(e.global_step()) + "_" + std::to_string(e.epoch()) + "_" +
              std::to_string(e.batch_idx()) + ".ckpt");
  }
  void on_train_epoch_end(const levin::Event& e) { write("on_train_epoch_end", e.run()); }
  void on_fit_end(const levin::Event& e) { write("on_fit_end", e.run(), "end.ckpt"); }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("sgd", {{"lr", 0.1}}); }
};

// Uses the optimizers of `script`: [{"name", "options", "groups": [{"name", "params", "options"}], "scheduler"}].
struct Optimized : levin::Model {
  static constexpr levin_option options[] = {script_option};
  json j;
  explicit Optimized(const levin::Args& o) : j(json::parse(o.text("script"))) {}

  static std::vector<levin::ParameterGroup> groups_of(const json& optimizer) {
    std::vector<levin::ParameterGroup> groups;
    for (const json& g : optimizer.value("groups", json::array())) {
      levin::ParameterGroup group{g.value("name", ""), g.at("params"), {}};
      const json own = g.value("options", json::object());
      for (const auto& [key, value] : own.items()) group.options.emplace_back(key.c_str(), value.get<double>());
      groups.push_back(std::move(group));
    }
    return groups;
  }
  void configure_optimizers(levin::OptimPlan& plan) {
    for (const json& o : j.at("optimizers")) {
      const uint32_t index = plan.optimizer_json(o.at("name"), o.at("options").dump(), groups_of(o));
      if (!o.contains("scheduler")) continue;
      const json& s = o.at("scheduler");
      const std::string name = s.at("name"), args = s.at("options").dump(), label = s.value("label", ""),
                        interval = s.value("interval", "epoch");
      levin_scheduler_desc desc{};
      desc.size = sizeof desc;
      desc.optimizer = index;
      desc.name = name.c_str();
      desc.options_json = args.c_str();
      desc.interval = interval.c_str();
      desc.label = label.empty() ? nullptr : label.c_str();
      desc.strict = 1;
      plan.add(desc);
    }
  }
};

// Two weights a and b, and the loss a + b.
struct TwoWeights : Optimized {
  torch::Tensor a, b;
  explicit TwoWeights(const levin::Args& o)
      : Optimized(o), a(register_parameter("a", at::ones({1}))), b(register_parameter("b", at::ones({1}))) {}
  torch::Tensor training_step(const levin::Batch&) { return (a + b).sum(); }
};
struct TwoWeightsByHand : TwoWeights {
  static constexpr bool automatic_optimization = false;
  using TwoWeights::TwoWeights;
  void training_step(const levin::Batch&) {
    for (uint32_t i = 0; i < j.at("optimizers").size(); ++i) {
      optimizers(i).zero_grad();
      manual_backward((a + b).sum());
      optimizers(i).step();
    }
  }
};

// backbone and head, both Linear(1, 1) without bias.
struct BackboneAndHead : Optimized {
  torch::nn::Linear backbone{nullptr}, head{nullptr};
  explicit BackboneAndHead(const levin::Args& o) : Optimized(o) {
    const auto linear = torch::nn::LinearOptions(1, 1).bias(false);
    backbone = register_module("backbone", torch::nn::Linear(linear));
    head = register_module("head", torch::nn::Linear(linear));
  }
  torch::Tensor training_step(const levin::Batch& batch) { return head(backbone(batch[0].view({-1, 1}))).mean(); }
  void on_train_batch_start(const levin::Event& e) {
    record({{"at", "on_train_batch_start"},
            {"epoch", e.epoch()},
            {"lrs", lrs_of(e.run())},
            {"requires_grad", backbone->weight.requires_grad()}});
  }
};

}  // namespace
}  // namespace scripted

using namespace scripted;

LEVIN_PLUGIN("levin.conformance.models", "1.0.0", "Apache-2.0", levin::model<Tuned>("tuned", "For tuners"),
             levin::model<Steady>("steady", "Gradient 1"), levin::model<TwoWeights>("two_weights", "a + b"),
             levin::model<TwoWeightsByHand>("two_weights_manual", "a + b"),
             levin::model<BackboneAndHead>("backbone_and_head", "Two layers"))
