// The optimizers. Keep the order of their options: the classes in core/optim/optimizers read them by position.
#include <algorithm>
#include <cmath>

#include "core/config/optim/optim_spec.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

OptionSchema maximize() { return bool_option("maximize", false, "maximize the loss instead of minimizing it"); }

OptionSchema lr(double deflt) { return float_option("lr", deflt, 0, "learning rate"); }
OptionSchema betas(double first, double second) {
  return json_option("betas", {first, second}, "decay rates of the two moments, each in [0, 1)");
}
OptionSchema eps(double deflt) { return float_option("eps", deflt, 0, "added to the denominator"); }
OptionSchema l2_penalty() { return float_option("weight_decay", 0.0, 0, "L2 penalty"); }
OptionSchema decoupled(double deflt) { return float_option("weight_decay", deflt, 0, "decoupled weight decay"); }
OptionSchema decouple() {
  return bool_option("decoupled_weight_decay", false, "decoupled weight decay instead of the L2 penalty");
}

std::vector<OptionSchema> adam_options(double weight_decay, const char* decay_help) {
  return {lr(1e-3),
          betas(0.9, 0.999),
          eps(1e-8),
          float_option("weight_decay", weight_decay, 0, decay_help),
          bool_option("amsgrad", false, "divide by the largest second moment so far"),
          maximize()};
}

std::vector<OptionSchema> sgd_options() {
  return {lr(1e-3),
          float_option("momentum", 0.0, 0, "momentum factor"),
          float_option("dampening", 0.0, -HUGE_VAL, "dampening of the gradient that joins the momentum"),
          l2_penalty(),
          bool_option("nesterov", false, "Nesterov momentum; needs momentum above 0 and dampening 0"),
          maximize()};
}

std::vector<OptionSchema> adagrad_options() {
  return {lr(1e-2),     float_option("lr_decay", 0.0, 0, "decay of the learning rate from step to step"),
          l2_penalty(), float_option("initial_accumulator_value", 0.0, 0, "initial value of the sum of squares"),
          eps(1e-10),   maximize()};
}

std::vector<OptionSchema> rmsprop_options() {
  return {lr(1e-2),
          float_option("alpha", 0.99, 0, "decay rate of the mean square"),
          eps(1e-8),
          l2_penalty(),
          float_option("momentum", 0.0, 0, "momentum factor"),
          bool_option("centered", false, "divide by the standard deviation of the gradient"),
          maximize()};
}

std::vector<OptionSchema> nadam_options() {
  return {lr(2e-3),
          betas(0.9, 0.999),
          eps(1e-8),
          l2_penalty(),
          float_option("momentum_decay", 4e-3, 0, "how fast the momentum rises to beta1"),
          decouple(),
          maximize()};
}

std::vector<OptionSchema> asgd_options() {
  return {lr(1e-2),
          float_option("lambd", 1e-4, 0, "decay of the parameters, and of the learning rate"),
          float_option("alpha", 0.75, 0, "exponent of the decay of the learning rate"),
          float_option("t0", 1e6, -HUGE_VAL, "step after which the average begins"),
          l2_penalty(),
          maximize()};
}

std::vector<OptionSchema> rprop_options() {
  return {float_option("lr", 1e-2, 0, "initial step size of every element"),
          json_option("etas", {0.5, 1.2}, "factors of a step size after a change of sign, and without one"),
          json_option("step_sizes", {1e-6, 50.0}, "smallest and largest step size"), maximize()};
}

std::vector<OptionSchema> muon_options() {
  return {lr(1e-3),
          decoupled(0.1),
          float_option("momentum", 0.95, 0, "momentum factor"),
          bool_option("nesterov", true, "Nesterov momentum"),
          json_option("ns_coefficients", {3.4445, -4.775, 2.0315}, "coefficients of the Newton-Schulz iteration"),
          float_option("eps", 1e-7, 0, "least norm by which a matrix is divided"),
          int_option("ns_steps", 5, 1, "steps of the Newton-Schulz iteration"),
          nullable(choice_option("adjust_lr_fn", {"original", "match_rms_adamw", "spectral_unclamped"},
                                 "how the step depends on the shape of a matrix; null = original"))};
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
       lbfgs_options()},
      {"nadam", "NAdam", "Adam with Nesterov momentum.", nadam_options()},
      {"radam",
       "RAdam",
       "Adam that corrects the variance of its first steps, in place of a warm-up.",
       {lr(1e-3), betas(0.9, 0.999), eps(1e-8), l2_penalty(), decouple(), maximize()}},
      {"adamax",
       "Adamax",
       "Adam that divides by the largest recent gradient.",
       {lr(2e-3), betas(0.9, 0.999), eps(1e-8), l2_penalty(), maximize()}},
      {"adadelta",
       "Adadelta",
       "Scales each step by the sizes of recent steps and gradients.",
       {lr(1.0), share_option("rho", 0.9, "decay rate of the mean squares"), eps(1e-6), l2_penalty(), maximize()}},
      {"asgd", "ASGD", "Stochastic gradient descent that keeps an average of the parameters.", asgd_options()},
      {"rprop", "Rprop", "Steps by the sign of each gradient, for training on the whole data set at once.",
       rprop_options()},
      {"lamb",
       "LAMB",
       "Adam whose step of each parameter has the parameter's norm, for large batches.",
       {lr(1e-3), betas(0.9, 0.999), eps(1e-6), decoupled(0.0)}},
      {"lion", "Lion", "Steps by the sign of a momentum.", {lr(1e-4), betas(0.9, 0.99), decoupled(0.0)}},
      {"muon", "Muon", "Makes the momentum of each matrix orthogonal; for the weights of hidden layers.",
       muon_options()}};
  return table;
}

const ArrayOption* array_option(const std::string& name) {
  using Numbers = std::vector<double>;
  static const ArrayOption options[] = {
      {"betas",
       {"beta1", "beta2"},
       "two numbers from 0 to below 1, as [0.9, 0.999]",
       [](const Numbers& n) { return n[0] >= 0 && n[0] < 1 && n[1] >= 0 && n[1] < 1; }},
      {"etas",
       {"eta_minus", "eta_plus"},
       "two numbers, the first between 0 and 1 and the second above 1, as [0.5, 1.2]",
       [](const Numbers& n) { return n[0] > 0 && n[0] < 1 && n[1] > 1; }},
      {"step_sizes",
       {"step_size_min", "step_size_max"},
       "two numbers from 0, the smaller one first, as [1e-06, 50]",
       [](const Numbers& n) { return n[0] >= 0 && n[0] <= n[1]; }},
      {"ns_coefficients", {"ns_a", "ns_b", "ns_c"}, "three numbers, as [3.4445, -4.775, 2.0315]", [](const Numbers&) {
         return true;
       }}};
  for (const ArrayOption& option : options)
    if (name == option.name) return &option;
  return nullptr;
}

bool ArrayOption::takes(const nlohmann::json& value) const {
  const auto is_number = [](const nlohmann::json& n) { return n.is_number() && std::isfinite(n.get<double>()); };
  return value.is_array() && value.size() == numbers.size() && std::all_of(value.begin(), value.end(), is_number) &&
         is_valid(value.get<std::vector<double>>());
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
