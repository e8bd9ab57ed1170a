// The options of a built-in optimizer: read once, kept as numbers.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/optim/optimizer.hpp"
#include "core/optim/optimizers/optimizer_spec.hpp"

namespace levin::core {

class BuiltinOptimizer : public Optimizer {
 public:
  // The spec must outlive the optimizer. `options`: for every group that does not say otherwise.
  BuiltinOptimizer(const OptimizerSpec& spec, const nlohmann::json& options);

  const std::string& id() const override { return spec_.id; }
  const std::string& name() const override { return spec_.class_name; }
  bool has(const std::string& option) const override;
  double get(std::size_t group, const std::string& option) const override;
  void set(std::size_t group, const std::string& option, double value) override;

 protected:
  // In the order of the spec, with "betas" as two: false and true are 0 and 1, choices their index, null is NaN.
  const double* options(std::size_t group) const { return values_[group].data(); }
  // Rules between options; throws Error{usage}.
  virtual void check(const double*) const {}

  void on_group_added() override;
  nlohmann::json group_values(std::size_t group) const override;
  void load_group_values(std::size_t group, const nlohmann::json& values) override;

 private:
  std::size_t position(const std::string& option) const;
  std::vector<double> numbers(const nlohmann::json& options) const;

  const OptimizerSpec& spec_;
  nlohmann::json defaults_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> values_;  // [group][position]
};

}  // namespace levin::core
