// The interface of all optimizers, built in or from a plugin.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/optim/lr_schedulers/lr_scheduler.hpp"

namespace levin::core {

struct ParamGroup {
  std::string name;                                   // for display; may be empty
  std::vector<at::Tensor> params;                     // leaf tensors, on any device
  std::vector<std::string> names;                     // of the parameters; used as keys of the state
  nlohmann::json options = nlohmann::json::object();  // only those that differ from the optimizer's options
};

// The state of an optimizer. Its tensors share their storage with the optimizer, so copy them before the next step.
struct OptimizerState {
  std::vector<std::pair<std::string, at::Tensor>>
      tensors;            // e.g. "0.fc.weight.momentum_buffer": group, parameter, slot
  nlohmann::json values;  // the options of the groups and the step counts
};

class Optimizer : public LrTarget {
 public:
  // A function that runs forward, zeroes the gradients, runs backward and returns the loss.
  using Closure = std::function<at::Tensor()>;
  using StateVisitor = std::function<void(const std::string& key, at::Tensor& tensor)>;

  const std::string& id() const { return id_; }      // e.g. "adamw"
  const std::string& name() const { return name_; }  // e.g. "AdamW"

  // Returns the group's index. Throws Error{usage} for an invalid option, and for a parameter that is already in a
  // group.
  size_t add_group(ParamGroup group);
  const std::vector<ParamGroup>& groups() const { return groups_; }

  // Updates the parameters from their gradients. A parameter whose gradient is undefined stays unchanged, including its
  // state and step count. The closure, if given, computes the gradients and runs with gradients enabled.
  void step();
  at::Tensor step(const Closure& closure);
  // Like step(), but changes nothing if `skip`, a bool tensor on the parameters' device, is true. Synchronizes the
  // device unless takes_mask() is true.
  void step_unless(const at::Tensor& skip);
  virtual bool needs_closure() const { return false; }
  // Each step() runs within this function, which gets the step as an argument; for processes that shard the parameters.
  using Around = std::function<void(const std::function<void()>& step)>;
  void around_steps(Around around) { around_ = std::move(around); }

  // set_to_none: gradients become undefined, which is faster, because backward then stores its own tensors as
  // gradients.
  void zero_grad(bool set_to_none = true);

  // Options are numbers: booleans are 0 or 1, and betas are "beta1" and "beta2". An unknown name throws Error{usage}.
  // set() does not validate the value, because schedules may set values that users may not.
  virtual bool has(const std::string& option) const = 0;
  virtual double get(size_t group, const std::string& option) const = 0;
  virtual void set(size_t group, const std::string& option, double value) = 0;

  // Visits only existing tensors; loading creates them.
  virtual void visit_state(const StateVisitor& visit) = 0;
  // Returns the size of the complete state in bytes, or as much of it as is known before the first step.
  virtual uint64_t expected_state_bytes() const { return 0; }
  // Training continues bit for bit after loading. Loading throws Error{checkpoint} if groups, parameters or shapes
  // differ.
  OptimizerState state_dict();
  void load_state_dict(const OptimizerState& state);

  size_t group_count() const override { return groups_.size(); }
  double lr(size_t group) const override { return get(group, "lr"); }
  void set_lr(size_t group, double value) override { set(group, "lr", value); }
  bool has_momentum() const override { return has("momentum") || has("beta1"); }
  double momentum(size_t group) const override;
  void set_momentum(size_t group, double value) override;

 protected:
  Optimizer(std::string id, std::string name) : id_(std::move(id)), name_(std::move(name)) {}
  // Called when the new group is the last of groups(). If it throws, the group is removed again.
  virtual void on_group_added() = 0;
  // Both run without autograd. step(closure) calls do_step(closure) only if needs_closure() is true.
  virtual void do_step() = 0;
  virtual at::Tensor do_step(const Closure& closure);
  // Returns true if do_step() changes nothing where mask() is true. mask() is undefined in an ordinary step.
  virtual bool takes_mask() const { return false; }
  const at::Tensor& mask() const { return mask_; }
  // Returns the part of a group's state that is not tensors: {"options": {...}, "steps": [...]}.
  virtual nlohmann::json group_values(size_t group) const = 0;
  virtual void load_group_values(size_t group, const nlohmann::json& values) = 0;
  // slot: the last part of the key. Returns false if there is no such state.
  virtual bool load_tensor(size_t group, size_t param, const std::string& slot, const at::Tensor& value) = 0;

  std::string state_key(size_t group, size_t param, const char* slot) const;

 private:
  void load_tensors(const OptimizerState& state);

  const std::string id_, name_;
  at::Tensor mask_;
  Around around_;
  std::vector<ParamGroup> groups_;
};

// Makes an optimizer of the optimizer table (core/config/optim) by name.
// The options apply to every group; a group's own options override them. Throws Error{usage} that lists the valid
// names.
std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const nlohmann::json& options,
                                          std::vector<ParamGroup> groups);

}  // namespace levin::core
