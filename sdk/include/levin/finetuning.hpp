// levin::Finetuning: base of callbacks that freeze parts of a model and unfreeze them at a later epoch.
//
//   struct Unfreeze : levin::Finetuning {
//     void freeze_before_training(const levin::Run& run) override { freeze(run, "features"); }
//     void finetune(const levin::Run& run, int64_t epoch, uint32_t optimizer) override {
//       if (epoch == 10) unfreeze(run, {"features", optimizer, 1e-4});
//     }
//   };
//
// Parameters that are frozen when the optimizers are configured belong to no optimizer. unfreeze() adds them to an
// optimizer as a group of their own; resuming a fit adds the group again. All calls are made on the training thread.
#pragma once
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "levin/callback.hpp"
#include "levin/util/text.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

struct Unfreezing {
  std::string module;      // the name of a submodule: "backbone", "encoder.layer3"
  uint32_t optimizer = 0;  // the optimizer that gets the parameters
  double lr = 0;           // the learning rate of their group
  bool train_bn = true;    // also unfreezes parameters of batch normalization
};

class Finetuning : public Callback {
 public:
  virtual ~Finetuning() = default;
  // Called before the optimizers are configured.
  virtual void freeze_before_training(const Run& run) = 0;
  // Called at the start of every epoch, for each optimizer.
  virtual void finetune(const Run& run, int64_t epoch, uint32_t optimizer) = 0;

  void setup(const Event& event) {
    if (event.stage() == Stage::fit) freeze_before_training(event.run());
  }
  void on_fit_start(const Event& event) {
    for (const Added& added : added_) add_group(event.run(), added);
  }
  void on_train_epoch_start(const Event& event) {
    const Run run = event.run();
    for (uint32_t i = 0, n = run.n_optimizers(); i < n; ++i) finetune(run, event.epoch(), i);
  }
  // A derived class with its own save and load must call these too.
  void save(Writer writer) const {
    std::string text;
    for (const Added& added : added_) {
      text += std::to_string(added.optimizer) + "\n" + shortest(added.lr) + "\n";
      text += std::to_string(added.names.size()) + "\n";
      for (const std::string& name : added.names) text += name + "\n";
    }
    writer.put("groups", text);
  }
  void load(Reader reader) {
    std::string text;
    if (!reader.get("groups", text)) return;
    added_.clear();
    size_t at = 0;
    const auto line = [&] {
      const size_t end = text.find('\n', at);
      const std::string out = text.substr(at, end - at);
      at = end == std::string::npos ? text.size() : end + 1;
      return out;
    };
    while (at < text.size()) {
      Added added;
      added.optimizer = static_cast<uint32_t>(std::stoul(line()));
      added.lr = std::stod(line());
      for (size_t n = std::stoul(line()); n > 0; --n) added.names.push_back(line());
      added_.push_back(std::move(added));
    }
  }

 protected:
  // Freezes a submodule. With train_bn its batch normalization stays trainable. Throws Error if the model has no such
  // module with parameters.
  void freeze(const Run& run, const std::string& module, bool train_bn = true) const {
    const std::vector<std::string> names = parameters_of(run, module);
    for (const std::string& name : names)
      if (!train_bn || !in_batch_norm(run, name)) set_requires_grad(run, name, false);
  }
  // Unfreezes the frozen parameters of a submodule and adds them to the optimizer as a group. Does nothing if no
  // parameter is frozen.
  void unfreeze(const Run& run, const Unfreezing& what) {
    Added added{what.optimizer, what.lr, {}};
    for (const std::string& name : parameters_of(run, what.module)) {
      if (!what.train_bn && in_batch_norm(run, name)) continue;
      int32_t trained = 0;
      detail::check(run.params().get_requires_grad(run.raw(), name.c_str(), &trained), name.c_str());
      if (!trained) added.names.push_back(name);
    }
    if (added.names.empty()) return;
    add_group(run, added);
    added_.push_back(std::move(added));
  }

 private:
  struct Added {
    uint32_t optimizer;
    double lr;
    std::vector<std::string> names;
  };

  static void set_requires_grad(const Run& run, const std::string& name, bool on) {
    detail::check(run.params().requires_grad(run.raw(), name.c_str(), on), name.c_str());
  }
  static void add_group(const Run& run, const Added& added) {
    std::vector<const char*> globs;
    for (const std::string& name : added.names) {
      set_requires_grad(run, name, true);
      globs.push_back(name.c_str());
    }
    const std::string options = "{\"lr\": " + shortest(added.lr) + "}";
    const levin_group_desc desc{sizeof desc, static_cast<uint32_t>(globs.size()), "", globs.data(), options.c_str()};
    detail::check(run.optim().add_group(run.raw(), added.optimizer, &desc), "add_group");
  }

  static std::vector<std::string> parameters_of(const Run& run, const std::string& module) {
    struct Context {
      std::string prefix;
      std::vector<std::string> names, all;
    } context{module + ".", {}, {}};
    levin_visitor visitor{sizeof visitor, 0, &context, nullptr};
    visitor.tensor = [](const levin_visitor* v, const char* name, levin_tensor*, uint32_t kind) -> levin_status {
      auto& c = *static_cast<Context*>(v->ctx);
      if (kind != LEVIN_PARAMETER) return LEVIN_OK;
      const std::string text = name;
      if (text.compare(0, c.prefix.size(), c.prefix) == 0) c.names.push_back(text);
      const std::string child = text.substr(0, text.find('.'));
      if (std::find(c.all.begin(), c.all.end(), child) == c.all.end()) c.all.push_back(child);
      return LEVIN_OK;
    };
    detail::check(run.params().visit(run.raw(), &visitor), "visit");
    if (!context.names.empty()) return context.names;
    std::string known;
    for (const std::string& name : context.all) known += (known.empty() ? "" : ", ") + name;
    throw Error(LEVIN_E_NOT_FOUND, "the model has no module '" + module + "' with parameters; it has: " + known);
  }

  // Returns true if the parameter belongs to a BatchNorm. Returns false if the model does not list its modules.
  static bool in_batch_norm(const Run& run, const std::string& parameter) {
    struct Context {
      std::string module;
      bool found;
    } context{parameter.substr(0, parameter.rfind('.')), false};
    const auto each = [](void* ctx, const char* name, const char* type, uint32_t, uint32_t) {
      auto& c = *static_cast<Context*>(ctx);
      if (c.module == name && std::strstr(type, "BatchNorm")) c.found = true;
    };
    run.modules().visit(run.raw(), each, &context);
    return context.found;
  }

  std::vector<Added> added_;
};

}  // namespace levin
#pragma GCC visibility pop
