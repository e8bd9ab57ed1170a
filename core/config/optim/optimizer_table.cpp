// The optimizers. Keep the order of their options: the classes in core/optim/optimizers read them by position.
#include <cmath>

#include "core/config/optim/optim_spec.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

OptionSchema maximize() { return bool_option("maximize", false, "maximize the loss instead of minimizing it"); }

std::vector<OptionSchema> adam_options(double weight_decay, const char* decay_help) {
  return {float_option("lr", 1e-3, 0, "learning rate"),
          json_option("betas", {0.9, 0.999}, "decay rates of the two moments, each in [0, 1)"),
          float_option("eps", 1e-8, 0, "added to the denominator"),
          float_option("weight_decay", weight_decay, 0, decay_help),
          bool_option("amsgrad", false, "divide by the largest second moment so far"),
          maximize()};
}

std::vector<OptionSchema> sgd_options() {
  return {float_option("lr", 1e-3, 0, "learning rate"),
          float_option("momentum", 0.0, 0, "momentum factor"),
          float_option("dampening", 0.0, -HUGE_VAL, "dampening of the gradient that joins the momentum"),
          float_option("weight_decay", 0.0, 0, "L2 penalty"),
          bool_option("nesterov", false, "Nesterov momentum; needs momentum above 0 and dampening 0"),
          maximize()};
}

std::vector<OptionSchema> adagrad_options() {
  return {float_option("lr", 1e-2, 0, "learning rate"),
          float_option("lr_decay", 0.0, 0, "decay of the learning rate from step to step"),
          float_option("weight_decay", 0.0, 0, "L2 penalty"),
          float_option("initial_accumulator_value", 0.0, 0, "initial value of the sum of squares"),
          float_option("eps", 1e-10, 0, "added to the denominator"),
          maximize()};
}

std::vector<OptionSchema> rmsprop_options() {
  return {float_option("lr", 1e-2, 0, "learning rate"),
          float_option("alpha", 0.99, 0, "decay rate of the mean square"),
          float_option("eps", 1e-8, 0, "added to the denominator"),
          float_option("weight_decay", 0.0, 0, "L2 penalty"),
          float_option("momentum", 0.0, 0, "momentum factor"),
          bool_option("centered", false, "divide by the standard deviation of the gradient"),
          maximize()};
}

std::vector<OptionSchema> lbfgs_options() {
  return {
      float_option("lr", 1.0, 0, "length of the step, or of the first one that a line search tries"),
      int_option("max_iter", 20, 1, "maximum number of iterations in a step"),
      nullable(int_option("max_eval", nullptr, 1, "maximum evaluations of the loss in a step; null = 1.25 max_iter")),
      float_option("tolerance_grad", 1e-7, 0, "stop when no gradient is larger"),
      float_option("tolerance_change", 1e-9, 0, "stop when parameters or loss change less"),
      int_option("history_size", 100, 1, "number of remembered updates"),
      nullable(choice_option("line_search_fn", {"none", "strong_wolfe"}, "line search; null = a fixed step"))};
}

}  // namespace

const std::vector<OptimSpec>& optimizer_table() {
  static const std::vector<OptimSpec> table = {
      {"sgd", "SGD", "Stochastic gradient descent, with momentum or Nesterov momentum.", sgd_options()},
      {"adam", "Adam", "Scales each step by running moments of the gradient.", adam_options(0, "L2 penalty")},
      {"adamw", "AdamW", "Adam with decoupled weight decay.", adam_options(1e-2, "decoupled weight decay")},
      {"adagrad", "Adagrad", "Divides each step by the root of the sum of squared gradients.", adagrad_options()},
      {"rmsprop", "RMSprop", "Divides each step by the root of a running mean of squared gradients.",
       rmsprop_options()},
      {"lbfgs", "LBFGS", "Quasi-Newton method with limited memory; evaluates the loss several times in a step.",
       lbfgs_options()}};
  return table;
}

const OptimSpec* find_spec(const std::vector<OptimSpec>& table, const std::string& name) {
  for (const OptimSpec& spec : table)
    if (name == spec.id || name == spec.class_name) return &spec;
  return nullptr;
}

std::vector<std::string> spec_ids(const std::vector<OptimSpec>& table) {
  std::vector<std::string> ids;
  for (const OptimSpec& spec : table) ids.push_back(spec.id);
  return ids;
}

}  // namespace levin::core
