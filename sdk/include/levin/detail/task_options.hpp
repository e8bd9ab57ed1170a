// The common options of supervised tasks, and the optimizer and schedule made from them.
#pragma once
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "levin/detail/optim_plan.hpp"
#include "levin/detail/parameter_options.hpp"
#include "levin/options.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// The defaults of a task's options, as JSON text.
struct TaskDefaults {
  const char* loss = nullptr;  // nullptr = cross_entropy for a classifier, mse for a regressor
  const char* optimizer = "\"adamw\"";
  const char* lr = "0.001";  // "null" = the network's default_lr(batch size)
  const char* momentum = "0.9";
  const char* nesterov = "false";
  const char* weight_decay = "0.0";
  const char* scheduler = "\"none\"";
  const char* scheduler_options = "{}";
  const char* label_smoothing = "0.0";
};

namespace detail {

// The options of a built-in optimizer besides lr.
struct BuiltinOptimizer {
  const char* id;
  bool weight_decay, momentum, nesterov;
  bool cycles;  // one_cycle may change its momentum or betas
};
inline constexpr BuiltinOptimizer builtin_optimizers[] = {
    {"sgd", true, true, true, true},        {"adam", true, false, false, true},
    {"adamw", true, false, false, true},    {"rmsprop", true, true, false, true},
    {"adagrad", true, false, false, false}, {"lbfgs", false, false, false, false},
    {"nadam", true, false, false, true},    {"radam", true, false, false, true},
    {"adamax", true, false, false, true},   {"adadelta", true, false, false, false},
    {"asgd", true, false, false, false},    {"rprop", false, false, false, false},
    {"lamb", true, false, false, true},     {"lion", true, false, false, true},
    {"muon", true, false, false, true}};

// Their ids, NULL-terminated.
inline constexpr auto builtin_optimizer_ids = [] {
  std::array<const char*, std::size(builtin_optimizers) + 1> ids{};
  for (std::size_t i = 0; i < std::size(builtin_optimizers); ++i) ids[i] = builtin_optimizers[i].id;
  return ids;
}();

// The schedules that need only a name and JSON options, NULL-terminated.
inline constexpr const char* builtin_scheduler_ids[] = {"none",
                                                        "chained",
                                                        "constant",
                                                        "cosine_annealing",
                                                        "cosine_annealing_warm_restarts",
                                                        "cyclic",
                                                        "exponential",
                                                        "linear",
                                                        "multi_step",
                                                        "one_cycle",
                                                        "polynomial",
                                                        "reduce_on_plateau",
                                                        "sequential",
                                                        "step",
                                                        "warmup",
                                                        nullptr};

// Returns the optimizer with this id or class name ("AdamW"); nullptr for an optimizer of a plugin.
inline const BuiltinOptimizer* builtin_optimizer(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const BuiltinOptimizer& known : builtin_optimizers)
    if (name == known.id) return &known;
  return nullptr;
}

// Returns the JSON text of an option that must be an object. Throws Error for other values.
inline std::string object_of(const Args& args, const char* option) {
  const std::string text = args.text(option);
  if (!text.empty() && text.front() != '{')
    throw Error(LEVIN_E_INVALID,
                "--model." + std::string(option) + " is " + text + ", not a JSON object: {\"name\": value}");
  return text;
}

class TaskOptions {
 public:
  TaskOptions(const Args& args, const TaskDefaults& defaults)
      : defaults_(defaults),
        optimizer_(args.text("optimizer")),
        optimizer_options_(object_of(args, "optimizer_options")),
        scheduler_(args.text("scheduler")),
        scheduler_options_(object_of(args, "scheduler_options")),
        lr_(args.is_null("lr") ? std::nan("") : args.number("lr")),
        momentum_(args.number("momentum")),
        weight_decay_(args.number("weight_decay")),
        nesterov_(args.flag("nesterov")),
        known_(builtin_optimizer(optimizer_)),
        parameters_(args) {}

  // Returns the options, in the order of a component's schema.
  static std::vector<levin_option> declared(const TaskDefaults& defaults) {
    levin_option optimizer =
        with(text("optimizer", defaults.optimizer, "optimizer: built-in (host help optimizers), or one of a plugin"),
             LEVIN_OPT_OPTIMIZER);
    optimizer.choices = builtin_optimizer_ids.data();
    const bool by_network = std::strcmp(defaults.lr, "null") == 0;
    const char* lr_help = by_network
                              ? "learning rate, the maximum with one_cycle; null = chosen by network and batch size"
                              : "learning rate, the maximum with one_cycle";
    std::vector<levin_option> out = {
        optimizer,
        with(number("lr", defaults.lr, lr_help, 0, 1e6),
             by_network ? LEVIN_OPT_TUNABLE | LEVIN_OPT_NULLABLE : LEVIN_OPT_TUNABLE),
        with(number("momentum", defaults.momentum, "momentum of sgd and rmsprop", 0, 1), LEVIN_OPT_TUNABLE),
        flag("nesterov", defaults.nesterov, "use Nesterov momentum with sgd"),
        with(number("weight_decay", defaults.weight_decay, "L2 penalty; decoupled in adamw, lamb, lion and muon", 0,
                    1e6),
             LEVIN_OPT_TUNABLE),
        json("optimizer_options", "{}", "further options of the optimizer, a JSON object"),
        choice("scheduler", defaults.scheduler, "learning-rate schedule; none = constant learning rate",
               builtin_scheduler_ids),
        json("scheduler_options", defaults.scheduler_options, "options of the schedule, a JSON object")};
    for (const levin_option& option : ParameterOptions::declared()) out.push_back(option);
    return out;
  }

  bool chooses_lr() const { return std::isnan(lr_); }  // the option is null
  void choose_lr(double lr) { lr_ = lr; }
  const ParameterOptions& parameters() const { return parameters_; }
  // Throws Error with the options that are the cause if the host refuses the optimizer or schedule.
  void configure(OptimPlan& plan, const std::vector<ParameterFacts>& parameters = {}) const {
    const std::string options = settings(optimizer_settings(), optimizer_options_);
    const std::vector<ParameterGroup> groups = parameters_.groups(parameters, lr_, weight_decay_ != 0);
    telling("--model.optimizer " + optimizer_, [&] { plan.optimizer_json(optimizer_, options, groups); });
    if (scheduler_ == "none") return;
    const std::string schedule = settings(schedule_settings(plan, groups), scheduler_options_);
    const Interval interval = scheduler_ == "one_cycle" ? Interval::step : Interval::epoch;
    telling("--model.scheduler " + scheduler_ + " with --model.scheduler_options '" + scheduler_options_ + "'", [&] {
      plan.scheduler_json(scheduler_, schedule, interval, 0, scheduler_ == "reduce_on_plateau" ? "val_loss" : "");
    });
  }

 private:
  // Calls add. If the host refuses, throws Error with the options before the host's reason.
  template <class F>
  static void telling(const std::string& options, F&& add) {
    try {
      add();
    } catch (const Error& e) {
      throw Error(e.status(), options);
    }
  }

  // Passes an option to the optimizer if the optimizer is known to have it, or if the user changed it: an optimizer
  // without the option then refuses it by name. A built-in optimizer does not get an option that it lacks and that is 0
  // or false.
  template <class V>
  void add(std::vector<Setting>& out, const char* option, V value, V deflt, bool BuiltinOptimizer::*has) const {
    const bool changed = value != deflt;
    if (known_ ? known_->*has || (changed && value != V()) : changed) out.emplace_back(option, value);
  }
  std::vector<Setting> optimizer_settings() const {
    std::vector<Setting> out = {{"lr", lr_}};
    add(out, "weight_decay", weight_decay_, std::strtod(defaults_.weight_decay, nullptr),
        &BuiltinOptimizer::weight_decay);
    add(out, "momentum", momentum_, std::strtod(defaults_.momentum, nullptr), &BuiltinOptimizer::momentum);
    add(out, "nesterov", nesterov_, std::strcmp(defaults_.nesterov, "true") == 0, &BuiltinOptimizer::nesterov);
    return out;
  }
  std::vector<Setting> schedule_settings(const OptimPlan& plan, const std::vector<ParameterGroup>& groups) const {
    if (scheduler_ == "cosine_annealing") return {{"T_max", plan.run().max_epochs()}};
    if (scheduler_ != "one_cycle") return {};
    std::vector<Setting> out = {{"max_lr", lr_}, {"total_steps", plan.total_steps()}};
    if (!groups.empty()) {
      std::vector<double> rates;
      for (const ParameterGroup& group : groups) rates.push_back(parameters_.lr_of(group, lr_));
      out.front() = {"max_lr", rates};
    }
    if (known_ && !known_->cycles) out.emplace_back("cycle_momentum", false);
    return out;
  }

  TaskDefaults defaults_;
  std::string optimizer_, optimizer_options_, scheduler_, scheduler_options_;
  double lr_, momentum_, weight_decay_;
  bool nesterov_;
  const BuiltinOptimizer* known_;
  ParameterOptions parameters_;
};

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
