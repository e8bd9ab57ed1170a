// A model that brings an optimizer and callbacks of its own plugin.
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

#include "script.hpp"

namespace {

using scripted::record;

// SGD with momentum, behind the C ABI.
struct Momentum : levin::Object {
  static constexpr levin_option options[] = {
      levin::number("lr", "0.1", "learning rate", 0, 10),
      levin::number("momentum", "0", "share of the last update that is kept", 0, 1),
      levin::flag("maximize", "false", "climb")};
  struct Group {
    std::vector<at::Tensor> params, buffers;
    std::vector<std::string> names;
    double lr, momentum, maximize;
    double& at(const std::string& option) {
      if (option == "lr") return lr;
      if (option == "momentum") return momentum;
      if (option == "maximize") return maximize;
      throw levin::Error(LEVIN_E_NOT_FOUND, "no option '" + option + "'");
    }
  };
  std::vector<Group> groups;

  uint32_t add_group(levin_tensor* const* params, const char* const* names, uint32_t n, const levin::Args& o) {
    Group group{{}, {}, {}, o.number("lr"), o.number("momentum"), o.flag("maximize") ? 1.0 : 0.0};
    for (uint32_t i = 0; i < n; ++i) {
      group.params.push_back(levin::to_torch(params[i]));
      group.buffers.push_back(at::zeros_like(group.params.back()));  // before the first step: a resume fills them
      group.names.push_back(names[i]);
    }
    groups.push_back(std::move(group));
    return static_cast<uint32_t>(groups.size() - 1);
  }
  void step() {
    for (Group& g : groups)
      for (size_t i = 0; i < g.params.size(); ++i) {
        if (!g.params[i].grad().defined()) continue;
        g.buffers[i].mul_(g.momentum).add_(g.params[i].grad());
        g.params[i].add_(g.buffers[i], g.maximize != 0 ? g.lr : -g.lr);
      }
  }
  void visit(const levin_visitor* v) {
    for (const Group& g : groups)
      for (size_t i = 0; i < g.params.size(); ++i)
        levin::detail::check(
            v->tensor(v, (g.names[i] + ".momentum_buffer").c_str(), levin::to_handle(g.buffers[i]), LEVIN_BUFFER),
            "visit");
  }
};

using MomentumHolder = levin::detail::Holder<Momentum, levin::detail::NoExtra>;

const levin_object* momentum_table() {
  static const levin_optimizer table = [] {
    levin_optimizer t{};
    t.o = levin::detail::object_table<MomentumHolder>();
    t.o.size = sizeof t;
    t.add_group = [](void* self, levin_tensor* const* params, const char* const* names, uint32_t n,
                     const levin_args* args, uint32_t* group) noexcept -> levin_status {
      Momentum& o = MomentumHolder::of(self).object;
      const levin::Args options(args, Momentum::options, sizeof Momentum::options / sizeof *Momentum::options);
      return levin::detail::guard(o.host(), [&] { *group = o.add_group(params, names, n, options); });
    };
    t.step = [](void* self, levin_run*, levin_status (*)(void*), void*) noexcept -> levin_status {
      Momentum& o = MomentumHolder::of(self).object;
      return levin::detail::guard(o.host(), [&] { o.step(); });
    };
    t.set = [](void* self, uint32_t group, const char* option, double value) noexcept -> levin_status {
      Momentum& o = MomentumHolder::of(self).object;
      return levin::detail::guard(o.host(), [&] { o.groups.at(group).at(option) = value; });
    };
    t.get = [](void* self, uint32_t group, const char* option, double* out) noexcept -> levin_status {
      Momentum& o = MomentumHolder::of(self).object;
      return levin::detail::guard(o.host(), [&] { *out = o.groups.at(group).at(option); });
    };
    t.visit = [](void* self, const levin_visitor* v) noexcept -> levin_status {
      Momentum& o = MomentumHolder::of(self).object;
      return levin::detail::guard(o.host(), [&] { o.visit(v); });
    };
    return t;
  }();
  return &table.o;
}

levin_component momentum() {
  levin_component c = levin::detail::component_of<Momentum>(LEVIN_KIND_OPTIMIZER, "own_momentum", "SGD with momentum");
  c.create = &levin::detail::create<MomentumHolder, &momentum_table>;
  return c;
}

// Writes down its stages, and sets the batch size where it is told to.
struct Probe : levin::Callback {
  static constexpr levin_option options[] = {levin::text("resize_at", "\"\"", "the hook that sets the batch size"),
                                             levin::flag("trial", "false", "begin a trial there instead")};
  const std::string resize_at;
  const bool trial;
  explicit Probe(const levin::Args& o) : resize_at(o.text("resize_at")), trial(o.flag("trial")) {}

  void stage(const char* what, const levin::Event& e) const {
    record(name() + "." + what + " " + std::to_string(static_cast<uint32_t>(e.stage())));
  }
  void resize(const char* hook, const levin::Event& e) const {
    if (resize_at != hook) return;
    const levin::Run run = e.run();
    if (trial)
      levin::detail::check(run.trial().begin(run.raw()), "begin");
    else
      levin::detail::check(run.trial().set_batch_size(run.raw(), 2), "set_batch_size");
  }
  void setup(const levin::Event& e) const { stage("setup", e); }
  void teardown(const levin::Event& e) const { stage("teardown", e); }
  void on_train_start(const levin::Event& e) const { resize("on_train_start", e); }
  void on_train_batch_end(const levin::Event& e) const {
    record(name() + ".rows " + std::to_string(levin::Batch(e.raw().batch).rows()));
    resize("on_train_batch_end", e);
  }
  void on_train_epoch_end(const levin::Event& e) const { resize("on_train_epoch_end", e); }
};

const char* const brought[] = {"none", "two", "unknown_option", "no_object", nullptr};

struct Regression : levin::Model {
  static constexpr levin_option options[] = {
      levin::choice("brings", "\"none\"", "callbacks", brought),
      levin::text("optimizer_options", "\"{\\\"lr\\\": 0.05, \\\"momentum\\\": 0.9}\"", "a JSON object")};
  const std::string optimizer_options;
  torch::nn::Linear in{nullptr}, out{nullptr};

  static void configure_callbacks(const levin::Args& o, const levin::CallbackList& list) {
    const std::string what = o.text("brings");
    if (what == "two") {
      list.add("probe", "{}", "first");
      list.add("probe", "{\"trial\": true}", "second");
    }
    if (what == "unknown_option") list.add("probe", "{\"resize\": \"x\"}");
    if (what == "no_object") list.add("probe", "[1]");
  }
  explicit Regression(const levin::Args& o) : optimizer_options(o.text("optimizer_options")) {
    in = register_module("in", torch::nn::Linear(data().input_size(), 8));
    out = register_module("out", torch::nn::Linear(8, 1));
  }
  torch::Tensor training_step(const levin::Batch& batch) {
    return torch::mse_loss(out(in(batch["x"]).tanh()), batch["y"]);
  }
  void configure_optimizers(levin::OptimPlan& plan) {
    plan.optimizer_json("own_momentum", optimizer_options, {{"", {"in.*"}, {}}, {"", {"out.*"}, {{"lr", 0.01}}}});
    plan.scheduler("step", {{"step_size", 1}, {"gamma", 0.9}});
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.own_parts", "1.0.0", "Apache-2.0",
             levin::model<Regression>("own_parts", "Brings an optimizer and callbacks"), momentum(),
             levin::callback<Probe>("probe", "Writes down its stages"))
