// The base of the built-in optimizers: checks their options once and keeps them as numbers.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/config/optim/optim_spec.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

class BuiltinOptimizer : public Optimizer {
 public:
  // The spec must outlive the optimizer. The options apply to every group that does not override them.
  BuiltinOptimizer(const OptimSpec& spec, const nlohmann::json& options);

  bool has(const std::string& option) const override;
  double get(size_t group, const std::string& option) const override;
  void set(size_t group, const std::string& option, double value) override;

 protected:
  // Returns the group's values in the order of the spec, where an array is as many values as it has. Booleans are 0 or
  // 1, a choice is its index, and null is NaN.
  const double* options(size_t group) const { return values_[group].data(); }
  // Checks options against each other. Throws Error{usage}.
  virtual void check_options(const double*) const {}

  void on_group_added() override;
  nlohmann::json group_values(size_t group) const override;
  void load_group_values(size_t group, const nlohmann::json& values) override;

 private:
  size_t position(const std::string& option) const;
  std::vector<double> numbers(const nlohmann::json& options) const;

  const OptimSpec& spec_;
  nlohmann::json defaults_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> values_;  // [group][position]
};

// Optimizers without groups, with the same steps as Python's torch.optim; LAMB and Lion with those of their authors.
using MakeOptimizer = std::unique_ptr<Optimizer>(const OptimSpec& spec, const nlohmann::json& options);
MakeOptimizer make_sgd, make_adam, make_adamw, make_adagrad, make_rmsprop, make_lbfgs, make_nadam, make_radam,
    make_adamax, make_adadelta, make_asgd, make_rprop, make_lamb, make_lion, make_muon;

}  // namespace levin::core
