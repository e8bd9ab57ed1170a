// ScalarModel: one parameter w = 1; training_step returns mean(w * x). Its script also takes
//   optimizers  [{"name", "options": {...}, "scheduler"?: {...}}], SGD with lr 0.1 by default
//   schedulers  [{"name", "options", "interval", "frequency", "monitor", "strict", "optimizer"}]
//   data        the data that the model provides itself (data.hpp)
//   override    hooks that count as overridden
//   hparams     its hyper-parameters
//   adds        {key: JSON value}: added by on_save_checkpoint as text
//   types       true: records {"types": {...}} in training_step and on_after_backward
//   without     steps that the model does not have
//   scale       factor of the loss; 0: zero gradients
//   grads       [[...], ...]: a zero parameter for each instead of w, and loss = sum(parameter * grads)
//   batches     true: records {"batches": [values of each loader's batch, null: exhausted]} in each step
//   returns     {"training_step": {name: number}}: outputs without a loss
#pragma once
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <torch/types.h>

#include <cmath>
#include <levin/torch.hpp>
#include <map>

#include "conformance/plugins/data.hpp"
#include "conformance/plugins/parts.hpp"

namespace scripted {

struct Scalar : levin::Model {
  static constexpr levin_option options[] = {script_option};
  Script script;
  torch::Tensor w;
  std::vector<torch::Tensor> grads, vectors;
  explicit Scalar(const levin::Args& o) : script(o) {
    w = register_parameter("w", at::ones({}).fill_(script.all().value("w", 1.0)));
    for (const json& gradient : script.all().value("grads", json::array())) {
      grads.push_back(torch::tensor(gradient.get<std::vector<float>>()));
      vectors.push_back(register_parameter("p" + std::to_string(vectors.size()), torch::zeros_like(grads.back())));
    }
  }

  // Called before the model exists. Data of the model's own records its prepare_data itself.
  static void prepare_data(const levin::Args& o) {
    const Script before(o);
    if (!before.all().contains("data")) static_record(before, "prepare_data");
  }
  static void configure_callbacks(const levin::Args& o, const levin::CallbackList& list) {
    const Script before(o);
    static_record(before, "configure_callbacks");
    for (const json& c : before.all().value("callbacks", json::array()))
      list.add("scripted_callback", c.at("options").dump().c_str(), c.at("name").get<std::string>().c_str());
  }
  static void static_record(const Script& script, const char* hook) {
    if (script.records(hook)) record({{"who", "lm"}, {"hook", hook}, {"depth", 0}, {"args", json::array()}});
  }

  Place place(const char* hook, int64_t batch_idx, int64_t dataloader_idx, const levin_batch* batch) {
    return {hook, run(), batch_idx, dataloader_idx, batch, nullptr, "", watched()};
  }
  std::function<double(const std::string&)> watched() {
    return [this](const std::string& name) {
      if (name == "w") return w.item().toDouble();
      return w.grad().defined() ? w.grad().item().toDouble() : std::nan("");
    };
  }
  levin_status hook(const char* which, const levin::Event& e) {
    Place at{which, e.run(), e.batch_idx(), e.dataloader_idx(), e.raw().batch, e.loss(), e.text(), watched()};
    const levin_status status = script.enter(at, hook_arguments(host(), e), hook_keywords(e));
    if (e.raw().hook == LEVIN_HOOK_SAVE_CHECKPOINT) {
      const json adds = script.all().value("adds", json::object());
      for (const auto& [key, value] : adds.items()) e.writer().put(key.c_str(), value.dump());
    }
    if (e.raw().hook == LEVIN_HOOK_AFTER_BACKWARD && script.all().value("types", false))
      record({{"types", {{"grad", type_of(w.grad())}}}});
    if (e.raw().hook == LEVIN_HOOK_TRAIN_BATCH_END && !vectors.empty()) record_vectors();
    return status;
  }
#define SCRIPTED(NAME, bit, member) \
  levin::Status member(const levin::Event& e) { return this->hook(#member, e); }
  LEVIN_FOR_EACH_HOOK(SCRIPTED)
#undef SCRIPTED

  static json list(const torch::Tensor& t) {
    const torch::Tensor flat = t.detach().to(torch::kDouble).contiguous().view({-1});
    return std::vector<double>(flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel());
  }
  void record_vectors() const {
    json line = {{"grads", json::array()}, {"vectors", json::array()}};
    for (const torch::Tensor& v : vectors) line["grads"].push_back(list(v.grad())), line["vectors"].push_back(list(v));
    record(line);
  }
  void record_batches(const levin::StepInfo& info) const {
    json line = {{"batches", json::array()}};
    for (const levin::Batch& b : info.batches) line["batches"].push_back(b ? list(b[0]) : json());
    record(line);
  }

  void step(const char* hook, const levin::Batch& batch, const levin::StepInfo& info) {
    json args = {batch_text(host(), batch.raw()), info.batch_idx};
    if (info.stage != levin::Stage::fit && run().num_dataloaders() > 1) args.push_back(info.dataloader_idx);
    script.enter(place(hook, info.batch_idx, info.dataloader_idx, batch.raw()), args);
    if (script.all().value("batches", false)) record_batches(info);
  }
  levin::Outputs training_step(const levin::Batch& batch, const levin::StepInfo& info) {
    step("training_step", batch, info);
    if (script.nothing()) return {};
    const Depth deeper;
    if (const auto returns = script.all().find("returns"); returns != script.all().end()) {
      levin::Outputs out;
      for (const auto& [name, value] : returns->at("training_step").items())
        out.extras.emplace_back(name, torch::ones({}) * value.get<double>());
      return out;
    }
    if (!vectors.empty()) {
      torch::Tensor loss = torch::zeros({});
      for (size_t i = 0; i < vectors.size(); ++i) loss = loss + (vectors[i] * grads[i]).sum();
      return {loss};
    }
    const torch::Tensor loss = (w * batch[0]).mean();
    if (script.all().value("types", false)) record_types(batch[0], loss);
    return {script.all().contains("scale") ? loss * script.all().at("scale").get<double>() : loss};
  }
  static std::string type_of(const torch::Tensor& tensor) {
    const std::map<at::ScalarType, const char*> names = {
        {at::kFloat, "float32"}, {at::kDouble, "float64"}, {at::kHalf, "float16"}, {at::kBFloat16, "bfloat16"}};
    return names.at(tensor.scalar_type());
  }
  // The type of a matrix product shows whether autocast is on.
  void record_types(const torch::Tensor& batch, const torch::Tensor& loss) const {
    const torch::Tensor ones = at::ones({1, 1});
    record({{"types",
             {{"param", type_of(w)},
              {"batch", type_of(batch)},
              {"loss", type_of(loss)},
              {"product", type_of(at::mm(ones, ones))}}}});
  }
  void validation_step(const levin::Batch& batch, const levin::StepInfo& info) { step("validation_step", batch, info); }
  void test_step(const levin::Batch& batch, const levin::StepInfo& info) { step("test_step", batch, info); }
  torch::Tensor predict_step(const levin::Batch& batch, const levin::StepInfo& info) {
    step("predict_step", batch, info);
    return batch[0];
  }

  void configure_optimizers(levin::OptimPlan& plan) {
    script.enter(place("configure_optimizers", -1, -1, nullptr), json::array());
    const json sgd = {{{"name", "sgd"}, {"options", {{"lr", 0.1}}}}};
    for (const json& o : script.all().value("optimizers", sgd))
      plan.optimizer_json(o.at("name"), o.value("options", json::object()).dump());
    for (const json& s : script.all().value("schedulers", json::array())) add_scheduler(plan, s);
  }
  static void add_scheduler(levin::OptimPlan& plan, const json& s) {
    const std::string name = s.at("name"), options = s.value("options", json::object()).dump(),
                      interval = s.value("interval", "epoch"), monitor = s.value("monitor", ""),
                      label = s.value("label", "");
    levin_scheduler_desc desc{};
    desc.size = sizeof desc;
    desc.optimizer = s.value("optimizer", 0u);
    desc.name = name.c_str();
    desc.options_json = options.c_str();
    desc.interval = interval.c_str();
    desc.frequency = s.value("frequency", int64_t{0});
    desc.monitor = monitor.empty() ? nullptr : monitor.c_str();
    desc.label = label.empty() ? nullptr : label.c_str();
    desc.strict = s.value("strict", true) ? 1 : 0;
    plan.add(desc);
  }
  uint32_t without(uint32_t steps) const {
    const std::pair<const char*, uint32_t> names[] = {{"training_step", LEVIN_STAGE_FIT},
                                                      {"validation_step", LEVIN_STAGE_VALIDATE},
                                                      {"test_step", LEVIN_STAGE_TEST},
                                                      {"predict_step", LEVIN_STAGE_PREDICT}};
    for (const json& missing : script.all().value("without", json::array()))
      for (const auto& [name, stage] : names)
        if (missing == name) steps &= ~(1u << stage);
    return steps;
  }
  void* own_data() {
    return script.all().contains("data") ? new Items(host(), script.all().at("data"), "lm") : nullptr;
  }
};

}  // namespace scripted
