// What every optimizer is to the Trainer, whether built in or made by a plugin.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/optim/lr_schedulers/lr_target.hpp"

namespace levin::core {

struct ParamGroup {
  std::string name;                                   // for people; may be empty
  std::vector<at::Tensor> params;                     // leaves, on any device
  std::vector<std::string> names;                     // one a parameter; they are the keys of the state
  nlohmann::json options = nlohmann::json::object();  // what differs from the optimizer's own options
};

// Everything an optimizer must remember. Tensors share their storage with the optimizer: copy before the next step.
struct OptimizerState {
  std::vector<std::pair<std::string, at::Tensor>> tensors;  // "0.fc.weight.momentum_buffer": group, parameter, what
  nlohmann::json values;                                    // options of the groups, step counts
};

class Optimizer : public LrTarget {
 public:
  // Runs forward, zeroes the gradients, runs backward and returns the loss.
  using Closure = std::function<at::Tensor()>;
  using StateVisitor = std::function<void(const std::string& key, at::Tensor& tensor)>;

  virtual const std::string& id() const = 0;    // "adamw"
  virtual const std::string& name() const = 0;  // "AdamW"

  // Returns the group's index. Throws Error{usage} for a wrong option, or a parameter that is already there.
  std::size_t add_group(ParamGroup group);
  const std::vector<ParamGroup>& groups() const { return groups_; }

  // The closure runs with gradients enabled. Without one, the gradients are what p.grad() holds; a parameter whose
  // gradient is undefined is left alone, state and step count included.
  void step();
  at::Tensor step(const Closure& closure);
  virtual bool needs_closure() const { return false; }

  // set_to_none: gradients become undefined, which is the fast way: backward then hands over its own tensors.
  void zero_grad(bool set_to_none = true);

  // Options are numbers: booleans are 0 or 1, betas are "beta1" and "beta2". An unknown name throws Error{usage}.
  // Values are taken as they are: a schedule may set what nobody would ask for.
  virtual bool has(const std::string& option) const = 0;
  virtual double get(std::size_t group, const std::string& option) const = 0;
  virtual void set(std::size_t group, const std::string& option, double value) = 0;

  // Only tensors that exist already are visited; loading creates them.
  virtual void visit_state(const StateVisitor& visit) = 0;
  // Loading continues bit for bit, and throws Error{checkpoint} when groups, parameters or shapes differ.
  OptimizerState state_dict();
  void load_state_dict(const OptimizerState& state);

  std::size_t group_count() const override { return groups_.size(); }
  double lr(std::size_t group) const override { return get(group, "lr"); }
  void set_lr(std::size_t group, double value) override { set(group, "lr", value); }
  bool has_momentum() const override { return has("momentum") || has("beta1"); }
  double momentum(std::size_t group) const override;
  void set_momentum(std::size_t group, double value) override;

 protected:
  // The new group is the last of groups(); throwing removes it again.
  virtual void on_group_added() = 0;
  // Both run without autograd. do_step(closure) is called by step(closure) only where needs_closure() is true.
  virtual void do_step() = 0;
  virtual at::Tensor do_step(const Closure& closure);
  // What is not a tensor: {"options": {...}, "steps": [...]} of a group.
  virtual nlohmann::json group_values(std::size_t group) const = 0;
  virtual void load_group_values(std::size_t group, const nlohmann::json& values) = 0;
  // `what` is the last part of the key. False: there is no such state.
  virtual bool load_tensor(std::size_t group, std::size_t param, const std::string& what, const at::Tensor& value) = 0;

  std::string state_key(std::size_t group, std::size_t param, const char* what) const;

 private:
  void load_tensors(const OptimizerState& state);

  std::vector<ParamGroup> groups_;
};

}  // namespace levin::core
