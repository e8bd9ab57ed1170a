// The options that every system has, and what they make of them: an optimizer and a schedule.
#pragma once
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "levin/optim_plan.hpp"
#include "levin/options.hpp"

namespace levin {

// Defaults of a system's options, as JSON text.
struct SystemDefaults {
  const char* loss = nullptr;  // nullptr: cross_entropy, or mse
  const char* optimizer = "\"adamw\"";
  const char* lr = "0.001";
  const char* momentum = "0.9";
  const char* nesterov = "false";
  const char* weight_decay = "0.0";
  const char* scheduler = "\"none\"";
  const char* scheduler_options = "{}";
  const char* label_smoothing = "0.0";
};

namespace detail {

// Which of a system's options a built-in optimizer has, beside lr.
struct BuiltinOptimizer {
  const char* id;
  bool weight_decay, momentum, nesterov;
  bool cycles;  // one_cycle may move its momentum, or its betas
};
inline constexpr BuiltinOptimizer builtin_optimizers[] = {
    {"sgd", true, true, true, true},        {"adam", true, false, false, true},
    {"adamw", true, false, false, true},    {"rmsprop", true, true, false, true},
    {"adagrad", true, false, false, false}, {"lbfgs", false, false, false, false}};

// Their ids, with a null at the end.
inline constexpr auto builtin_optimizer_ids = [] {
  std::array<const char*, std::size(builtin_optimizers) + 1> ids{};
  for (std::size_t i = 0; i < std::size(builtin_optimizers); ++i) ids[i] = builtin_optimizers[i].id;
  return ids;
}();

// By id, or by class name: "AdamW". nullptr: a plugin's.
inline const BuiltinOptimizer* builtin_optimizer(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const BuiltinOptimizer& known : builtin_optimizers)
    if (name == known.id) return &known;
  return nullptr;
}

// The JSON text of an option that is an object; throws Error for another value.
inline std::string object_of(const Args& args, const char* option) {
  const std::string text = args.text(option);
  if (!text.empty() && text.front() != '{')
    throw Error(LEVIN_E_INVALID,
                "--model." + std::string(option) + " is " + text + ", not a JSON object: {\"name\": value}");
  return text;
}

class SystemOptions {
 public:
  SystemOptions(const Args& o, const SystemDefaults& defaults)
      : defaults_(defaults),
        optimizer_(o.text("optimizer")),
        optimizer_options_(object_of(o, "optimizer_options")),
        scheduler_(o.text("scheduler")),
        scheduler_options_(object_of(o, "scheduler_options")),
        lr_(o.number("lr")),
        momentum_(o.number("momentum")),
        weight_decay_(o.number("weight_decay")),
        nesterov_(o.flag("nesterov")),
        known_(builtin_optimizer(optimizer_)) {}

  static std::vector<levin_option> declared(const SystemDefaults& d) {
    levin_option optimizer =
        with(text("optimizer", d.optimizer, "sgd, adam, adamw, adagrad, rmsprop, lbfgs, or a plugin's"),
             LEVIN_OPT_OPTIMIZER);
    optimizer.choices = builtin_optimizer_ids.data();
    return {optimizer,
            with(number("lr", d.lr, "learning rate; the highest one of one_cycle", 0, 1e6), LEVIN_OPT_TUNABLE),
            with(number("momentum", d.momentum, "of sgd and rmsprop", 0, 1), LEVIN_OPT_TUNABLE),
            flag("nesterov", d.nesterov, "of sgd"),
            with(number("weight_decay", d.weight_decay, "L2 penalty, decoupled in adamw", 0, 1e6), LEVIN_OPT_TUNABLE),
            json("optimizer_options", "{}", "further options of the optimizer, a JSON object"),
            text("scheduler", d.scheduler, "none, one_cycle, cosine_annealing, step, multi_step, exponential, ..."),
            json("scheduler_options", d.scheduler_options, "options of the scheduler, a JSON object")};
  }

  void configure(OptimPlan& plan) const {
    const std::string options = settings(optimizer_settings(), optimizer_options_);
    telling("--model.optimizer " + optimizer_, [&] { plan.optimizer_json(optimizer_, options); });
    if (scheduler_ == "none") return;
    const std::string schedule = settings(schedule_settings(plan), scheduler_options_);
    const Interval interval = scheduler_ == "one_cycle" ? Interval::step : Interval::epoch;
    telling("--model.scheduler " + scheduler_ + " with --model.scheduler_options '" + scheduler_options_ + "'", [&] {
      plan.scheduler_json(scheduler_, schedule, interval, 0, scheduler_ == "reduce_on_plateau" ? "val_loss" : "");
    });
  }

 private:
  // What the host refuses, behind the options that it is about.
  template <class F>
  static void telling(const std::string& options, F&& add) {
    try {
      add();
    } catch (const Error& e) {
      throw Error(e.status(), options);
    }
  }

  // An option that the optimizer has not, or that it may not have as it is a plugin's, is handed over where the user
  // changed it: who does not have it refuses it by name. One that is off asks a built-in optimizer for nothing.
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
  std::vector<Setting> schedule_settings(const OptimPlan& plan) const {
    if (scheduler_ == "cosine_annealing") return {{"T_max", plan.run().integer("max_epochs")}};
    if (scheduler_ != "one_cycle") return {};
    std::vector<Setting> out = {{"max_lr", lr_}, {"total_steps", plan.total_steps()}};
    if (known_ && !known_->cycles) out.emplace_back("cycle_momentum", false);
    return out;
  }

  SystemDefaults defaults_;
  std::string optimizer_, optimizer_options_, scheduler_, scheduler_options_;
  double lr_, momentum_, weight_decay_;
  bool nesterov_;
  const BuiltinOptimizer* known_;
};

}  // namespace detail
}  // namespace levin
