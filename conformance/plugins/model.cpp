// ScalarModel: one parameter w = 1; training_step returns mean(w * x). Its script also takes
//   optimizers  [{"name", "options": {...}, "scheduler"?: {...}}], SGD with lr 0.1 by default
//   schedulers  [{"name", "options", "interval", "frequency", "monitor", "strict", "optimizer"}]
//   weights     true: a record {"weights": [w]} after each training batch
//   data        the data that the model brings of its own (data.hpp)
//   override    hooks that count as overridden
//   hparams     its hyper-parameters
//   adds        integers that on_save_checkpoint adds, by key
//   types       true: a record {"types": {...}} in training_step and on_after_backward
//   without     steps that the model does not have
//   scale       of the loss; 0: zero gradients
//   grads       [[...], ...]: instead of w a parameter of zeros for each, and loss = sum(parameter * grads)
//   batches     true: a record {"batches": [values of each loader's batch, null: exhausted]} in each step
//   returns     {"training_step": {name: number}}: outputs without a loss
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <torch/types.h>

#include <cmath>
#include <levin/torch.hpp>

#include <map>

#include "conformance/plugins/data.hpp"
#include "conformance/plugins/parts.hpp"

namespace scripted {
namespace {

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

  // Before there is a model; data of its own is prepared by itself.
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
    return {hook, run(), batch_idx, dataloader_idx, batch, nullptr, "", nullptr, watched()};
  }
  std::function<double(const std::string&)> watched() {
    return [this](const std::string& name) {
      if (name == "w") return w.item().toDouble();
      return w.grad().defined() ? w.grad().item().toDouble() : std::nan("");
    };
  }
  levin_status hook(const char* which, const levin::Event& e) {
    Place at{which, e.run(), e.batch_idx(), e.dataloader_idx(), e.raw().batch, e.loss(), e.text(), nullptr, watched()};
    const levin_status status = script.enter(at, hook_arguments(host(), e), hook_keywords(e));
    if (e.raw().hook == LEVIN_HOOK_SAVE_CHECKPOINT) {
      const json adds = script.all().value("adds", json::object());
      for (const auto& [key, value] : adds.items()) e.writer().put(key.c_str(), value.get<int64_t>());
    }
    if (e.raw().hook == LEVIN_HOOK_AFTER_BACKWARD && script.all().value("types", false))
      record({{"types", {{"grad", type_of(w.grad())}}}});
    if (e.raw().hook == LEVIN_HOOK_TRAIN_BATCH_END && script.all().value("weights", false))
      record({{"weights", {number(w.item().toDouble())}}});
    if (e.raw().hook == LEVIN_HOOK_TRAIN_BATCH_END && !vectors.empty()) record_vectors();
    return status;
  }
#define SCRIPTED(member, id) \
  levin_status member(const levin::Event& e) { return this->hook(#member, e); }
  LEVIN_FOR_EACH_HOOK(SCRIPTED)

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
    if (info.stage != levin::Stage::fit && run().number("num_dataloaders") > 1) args.push_back(info.dataloader_idx);
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
  // Autocast shows itself by the type of a product of matrices.
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

// The same with every override, each doing what the host would do.
struct Recorded : Scalar {
  using Scalar::Scalar;
  void entered(const char* hook, const levin::OptimCall& call, json args, json kwargs = nullptr) {
    this->set_run(call.run().raw());
    script.enter(place(hook, call.batch_idx(), -1, nullptr), std::move(args), std::move(kwargs));
  }
  void optimizer_step(const levin::OptimCall& call) {
    json args = {call.epoch(), call.batch_idx(), "optimizer", "closure"};
    entered("optimizer_step", call, args);
    const Depth deeper;
    call.step();
    if (script.all().contains("watch") && script.all().at("watch").contains("optimizer_stepped"))
      entered("optimizer_stepped", call, json::array());
  }
  void optimizer_zero_grad(const levin::OptimCall& call) {
    entered("optimizer_zero_grad", call, {call.epoch(), call.batch_idx(), "optimizer"});
    optimizers(call.optimizer_idx()).zero_grad();
  }
  void backward(const levin::OptimCall& call) {
    entered("backward", call, {"tensor"});
    call.loss().backward();
  }
  void lr_scheduler_step(const levin::OptimCall& call) {
    const double metric = call.metric();
    entered("lr_scheduler_step", call, {"scheduler", metric != metric ? json() : json("tensor")});
    levin::detail::check(run().optim().scheduler_step(run().raw(), call.scheduler_idx(), call.metric()), "step");
  }
  void configure_gradient_clipping(const levin::OptimCall& call) {
    const bool clips = call.clip_val() > 0;
    const json how = {{"gradient_clip_val", clips ? json(call.clip_val()) : json()},
                      {"gradient_clip_algorithm", clips ? json(call.clip_algorithm()) : json()}};
    entered("configure_gradient_clipping", call, {"optimizer"}, how);
    const Depth deeper;
    entered("clip_gradients", call, {"optimizer"}, how);
    if (call.clip_val() > 0)
      levin::detail::check(
          run().optim().clip(run().raw(), call.optimizer_idx(), call.clip_val(), call.clip_algorithm().c_str()),
          "clip");
  }
  void transfer(const char* hook, const levin::Batch& batch, const char* device) {
    const int64_t loader = run().integer("dataloader_idx");
    json args = {batch_text(host(), batch.raw())};
    if (device) args.push_back(device);
    args.push_back(std::max<int64_t>(loader, 0));
    script.enter(place(hook, -1, loader, batch.raw()), args);
  }
  std::vector<torch::Tensor> all(const levin::Batch& batch) {
    std::vector<torch::Tensor> out;
    for (size_t i = 0; i < batch.size(); ++i) out.push_back(batch[i]);
    return out;
  }
  std::vector<torch::Tensor> on_before_batch_transfer(const levin::Batch& b) {
    return transfer("on_before_batch_transfer", b, nullptr), all(b);
  }
  std::vector<torch::Tensor> transfer_batch_to_device(const levin::Batch& b, torch::Device) {
    return transfer("transfer_batch_to_device", b, "cpu"), all(b);
  }
  std::vector<torch::Tensor> on_after_batch_transfer(const levin::Batch& b) {
    return transfer("on_after_batch_transfer", b, nullptr), all(b);
  }
  void on_validation_model_zero_grad(const levin::Event& e) {
    this->hook("on_validation_model_zero_grad", e);
    for (uint32_t i = 0; i < n_optimizers(); ++i) optimizers(i).zero_grad();
  }
  uint32_t n_optimizers() {
    uint32_t n = 0, schedulers = 0;
    levin::detail::check(run().optim().count(run().raw(), &n, &schedulers), "count");
    return n;
  }
};

struct ManualSteps {
  template <class M>
  static torch::Tensor run(M& model, const levin::Batch& batch) {
    torch::Tensor loss;
    for (uint32_t i = 0; i < model.n_optimizers(); ++i) {
      loss = (model.w * batch[0]).mean();
      model.optimizers(i).zero_grad();
      {
        const Depth deeper;
        model.manual_backward(loss);
      }
      model.optimizers(i).step();
    }
    return model.n_optimizers() == 1 ? loss.detach() : torch::Tensor();
  }
};

// Manual optimization: zero_grad, backward and step for each optimizer in each batch.
struct Manual : Recorded {
  static constexpr bool automatic_optimization = false;
  using Recorded::Recorded;
  levin::Outputs training_step(const levin::Batch& batch, const levin::StepInfo& info) {
    step("training_step", batch, info);
    const Depth deeper;
    return {ManualSteps::run(*this, batch)};
  }
};

constexpr int no_optimizers = 2;
constexpr uint32_t seldom[] = {LEVIN_HOOK_EXCEPTION,
                               LEVIN_HOOK_SANITY_CHECK_START,
                               LEVIN_HOOK_SANITY_CHECK_END,
                               LEVIN_HOOK_VALIDATION_MODEL_TRAIN,
                               LEVIN_HOOK_TEST_MODEL_TRAIN,
                               LEVIN_HOOK_PREDICT_MODEL_TRAIN,
                               LEVIN_HOOK_EPOCH_START,
                               LEVIN_HOOK_EPOCH_END,
                               LEVIN_HOOK_PRETRAIN_ROUTINE_START,
                               LEVIN_HOOK_PRETRAIN_ROUTINE_END,
                               LEVIN_HOOK_BATCH_START,
                               LEVIN_HOOK_BATCH_END};

// Models of class M; `kept`: hooks among the seldom ones that count as overridden.
template <class M, int variant>
levin_component component(const char* id, std::initializer_list<uint32_t> kept, bool brings_data) {
  static levin_model table = levin::detail::make_model_table<M>();
  if (brings_data)
    table.data_module = [](void* self, void** data, const levin_data** out) -> levin_status {
      M& model = levin::detail::Holder<M, levin::detail::ModelExtra>::of(self).object;
      return levin::detail::guard(model.host(), [&] {
        *data = model.own_data();
        *out = items_table();
      });
    };
  table.steps = [](void* self) -> uint32_t {
    const M& model = levin::detail::Holder<M, levin::detail::ModelExtra>::of(self).object;
    return model.without(levin::detail::steps_of<M>());
  };
  if (variant == no_optimizers) table.configure_optimizers = nullptr;
  levin_component c = levin::model<M>(id, "Scalar model that does what its script says");
  c.flags &= ~uint64_t{LEVIN_F_OPTIMIZER_IDX};  // Lightning's ScalarModel takes batch and batch_idx
  for (uint32_t hook : seldom) {
    bool keep = false;
    for (uint32_t k : kept) keep = keep || k == hook;
    if (!keep) c.hooks[hook / 64] &= ~LEVIN_BIT(hook);
  }
  c.create = [](const levin_host* host, const levin_create* in, void** self,
                const levin_object** object) -> levin_status {
    using H = levin::detail::Holder<M, levin::detail::ModelExtra>;
    const levin_status status = levin::detail::create<H, &levin::detail::model_table<M>>(host, in, self, object);
    *object = &table.o;
    return status;
  };
  return c;
}

}  // namespace
}  // namespace scripted

using namespace scripted;

LEVIN_PLUGIN("levin.conformance", "1.0.0", "Apache-2.0", component<Scalar, 0>("scalar", {}, true),
             component<Recorded, 0>("recorded", {}, true),
             component<Recorded, 1>("recorded_model_train",
                                    {LEVIN_HOOK_VALIDATION_MODEL_TRAIN, LEVIN_HOOK_TEST_MODEL_TRAIN,
                                     LEVIN_HOOK_PREDICT_MODEL_TRAIN},
                                    true),
             component<Manual, 0>("manual", {}, true),
             component<Manual, 1>("manual_model_train",
                                  {LEVIN_HOOK_VALIDATION_MODEL_TRAIN, LEVIN_HOOK_TEST_MODEL_TRAIN,
                                   LEVIN_HOOK_PREDICT_MODEL_TRAIN},
                                  true),
             component<Scalar, no_optimizers>("scalar_no_optimizers", {}, true), items_component(),
             callback_component(), logger_component())
