#include "core/optim/optimizer_set.hpp"

#include <algorithm>
#include <set>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/optim/optimizer_turns.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {
namespace {

// Parses options that a plugin wrote. A plugin may append its user's options, so of two members with the same name the
// later one counts.
nlohmann::json options_of(const char* text, const std::string& owner) {
  if (!text || !*text) return nlohmann::json::object();
  nlohmann::json options = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!options.is_object())
    throw Error(ErrorCode::optimizer_misconfigured, owner + " have to be a JSON object, not " + std::string(text));
  return options;
}

std::string why_empty(const levin_group_desc& desc, const Model& model) {
  const auto& all = model.parameters();
  if (all.empty())
    return "the model has no parameters, so there is nothing to optimize: register modules, as in "
           "fc = register_module(\"fc\", torch::nn::Linear(8, 2)), and tensors by register_parameter";
  std::vector<std::string> names;
  for (const NamedTensor& p : all)
    if (p.tensor.requires_grad()) names.push_back(p.name);
  if (names.empty()) return "no parameter of the model requires grad, so there is nothing to optimize";
  const bool rest = !desc.globs || desc.n_globs == 0;
  std::string group =
      desc.name && *desc.name ? "parameter group '" + std::string(desc.name) + "'" : "a parameter group";
  if (!rest) group += " of " + join({desc.globs, desc.globs + desc.n_globs}, ", ");
  return group + " is empty: no parameter that is left and requires grad " + (rest ? "is there for it" : "matches it") +
         "; the model has " + join_some(names, 8);
}

// The parameters that are already in a group. A tied parameter has several names.
class Taken {
 public:
  void take(const std::string& name, const at::Tensor& tensor) {
    names_.insert(name);
    tensors_.insert(tensor.unsafeGetTensorImpl());
  }
  bool has(const NamedTensor& p) const {
    return names_.count(p.name) != 0 || tensors_.count(p.tensor.unsafeGetTensorImpl()) != 0;
  }

 private:
  std::set<std::string> names_;
  std::set<const void*> tensors_;
};

// Returns a group of the parameters that match the globs, or of all if there are no globs, without frozen ones and
// those in an earlier group. A tied parameter gets the first of its names that matches.
ParamGroup group_of(const levin_group_desc& desc, const Model& model, Taken& taken) {
  ParamGroup group;
  group.name = desc.name ? desc.name : "";
  group.options = options_of(desc.options_json, "options of parameter group '" + group.name + "'");
  for (const NamedTensor& p : model.parameters()) {
    if (taken.has(p) || !p.tensor.requires_grad()) continue;
    bool matches = !desc.globs || desc.n_globs == 0;
    for (uint32_t i = 0; desc.globs && i < desc.n_globs && !matches; ++i) matches = glob_match(desc.globs[i], p.name);
    if (!matches) continue;
    taken.take(p.name, p.tensor);
    group.params.push_back(p.tensor);
    group.names.push_back(p.name);
  }
  if (group.params.empty()) throw Error(ErrorCode::optimizer_misconfigured, why_empty(desc, model));
  return group;
}

}  // namespace

struct OptimizerSet::Plan {
  OptimizerSet& set;
  const Model& model;
  StepTotal step_total, epoch_total;
  levin_optim_plan raw{};
};

void OptimizerSet::add_optimizer(const levin_optimizer_desc& desc, const Model& model) {
  const std::string name = desc.name ? desc.name : "";
  const nlohmann::json options = options_of(desc.options_json, "options of optimizer '" + name + "'");
  std::vector<ParamGroup> groups;
  Taken taken;
  if (!desc.groups || desc.n_groups == 0) {
    groups.push_back(group_of(levin_group_desc{sizeof(levin_group_desc), 0, "", nullptr, nullptr}, model, taken));
  } else {
    for (uint32_t i = 0; i < desc.n_groups; ++i) groups.push_back(group_of(*desc.groups[i], model, taken));
  }
  frequencies_.push_back(std::max<int64_t>(desc.frequency, 0));
  if (find_spec(optimizer_table(), name) == nullptr && factory_) {
    if (auto made = factory_(name, options, groups)) {
      optimizers_.push_back(std::move(made));
      return scale_last();
    }
  }
  optimizers_.push_back(make_optimizer(name, options, std::move(groups)));
  scale_last();
}

// Schedules are made later, from the scaled learning rates.
void OptimizerSet::scale_last() {
  if (lr_scaling_ == 1) return;
  Optimizer& optimizer = *optimizers_.back();
  if (!optimizer.has("lr")) return;
  for (size_t group = 0; group < optimizer.group_count(); ++group)
    optimizer.set_lr(group, optimizer.lr(group) * lr_scaling_);
}

// A schedule whose options give the learning rates is not scaled.
bool OptimizerSet::has_own_rates(size_t optimizer) const {
  return std::any_of(schedules_.begin(), schedules_.end(),
                     [&](const ScheduleConfig& s) { return s.optimizer == optimizer && s.scheduler->has_own_rates(); });
}

void OptimizerSet::scale_loaded_optimizers(double factor_before) {
  const double ratio = lr_scaling_ / factor_before;
  if (ratio == 1) return;
  for (size_t i = 0; i < optimizers_.size(); ++i) {
    Optimizer& optimizer = *optimizers_[i];
    if (!optimizer.has("lr") || has_own_rates(i)) continue;
    for (size_t group = 0; group < optimizer.group_count(); ++group) {
      optimizer.set_lr(group, optimizer.lr(group) * ratio);
      optimizer.set_initial_lr(group, optimizer.initial_lr(group) * ratio);
    }
  }
}

void OptimizerSet::scale_loaded_schedules(double factor_before) {
  const double ratio = lr_scaling_ / factor_before;
  if (ratio == 1) return;
  for (const ScheduleConfig& s : schedules_)
    if (!s.scheduler->has_own_rates()) s.scheduler->scale_rates(ratio);
}

void OptimizerSet::add_scheduler(const levin_scheduler_desc& desc, const StepTotal& step_total,
                                 const StepTotal& epoch_total) {
  const std::string name = desc.name ? desc.name : "";
  const std::string interval = desc.interval ? desc.interval : "epoch";
  if (interval != "step" && interval != "epoch")
    throw Error(ErrorCode::scheduler_misconfigured,
                "scheduler '" + name + "': interval '" + interval + "' is unknown; valid: step, epoch");
  ScheduleConfig config;
  config.optimizer = desc.optimizer;
  config.by_step = interval == "step";
  config.frequency = desc.frequency > 0 ? desc.frequency : 1;
  config.monitor = desc.monitor ? desc.monitor : "";
  config.strict = desc.strict != 0;
  config.label = desc.label ? desc.label : "";
  SchedulerContext context;
  context.total_steps = config.by_step ? step_total : epoch_total;
  if (desc.factor)
    context.factors.push_back([f = desc.factor, ctx = desc.factor_ctx](int64_t step) { return f(ctx, step); });
  config.scheduler = make_scheduler(name, options_of(desc.options_json, "options of scheduler '" + name + "'"),
                                    optimizer(desc.optimizer), context);
  if (config.scheduler->needs_metric() && config.monitor.empty())
    throw Error(ErrorCode::scheduler_misconfigured, "scheduler '" + name + "' needs a metric to monitor");
  schedules_.push_back(std::move(config));
}

void OptimizerSet::configure(const Model& model, levin_run* run, StepTotal step_total, StepTotal epoch_total) {
  optimizers_.clear(), schedules_.clear(), frequencies_.clear();
  if (!model.overrides().has_configure_optimizers()) return;
  Plan plan{*this, model, std::move(step_total), std::move(epoch_total), {}};
  plan.raw.size = sizeof plan.raw;
  plan.raw.ctx = &plan;
  plan.raw.run = run;
  plan.raw.add_optimizer = [](const levin_optim_plan* raw, const levin_optimizer_desc* desc, uint32_t* index) {
    return serve([&] {
      auto& p = *static_cast<Plan*>(raw->ctx);
      p.set.add_optimizer(*desc, p.model);
      *index = static_cast<uint32_t>(p.set.optimizers_.size() - 1);
    });
  };
  plan.raw.add_scheduler = [](const levin_optim_plan* raw, const levin_scheduler_desc* desc, uint32_t* index) {
    return serve([&] {
      auto& p = *static_cast<Plan*>(raw->ctx);
      p.set.add_scheduler(*desc, p.step_total, p.epoch_total);
      *index = static_cast<uint32_t>(p.set.schedules_.size() - 1);
    });
  };
  model.overrides().configure_optimizers(plan.raw);
  check_frequencies(frequencies_);
}

Optimizer& OptimizerSet::optimizer(uint32_t index) {
  if (index < optimizers_.size()) return *optimizers_[index];
  throw Error(ErrorCode::call_invalid,
              "there is no optimizer " + std::to_string(index) + "; the run has " + std::to_string(optimizers_.size()));
}

ScheduleConfig& OptimizerSet::schedule(uint32_t index) {
  if (index < schedules_.size()) return schedules_[index];
  throw Error(ErrorCode::call_invalid,
              "there is no scheduler " + std::to_string(index) + "; the run has " + std::to_string(schedules_.size()));
}

void OptimizerSet::add_group(uint32_t index, const levin_group_desc& desc, const Model& model) {
  Taken taken;
  for (const ParamGroup& group : optimizer(index).groups())
    for (size_t i = 0; i < group.names.size(); ++i) taken.take(group.names[i], group.params[i]);
  optimizer(index).add_group(group_of(desc, model, taken));
}

void OptimizerSet::toggle(uint32_t index, bool on) {
  for (auto& [tensor, requires_grad] : toggled_) tensor.set_requires_grad(requires_grad);
  toggled_.clear();
  if (!on) return;
  std::set<c10::TensorImpl*> mine;
  for (const ParamGroup& group : optimizer(index).groups())
    for (const at::Tensor& p : group.params) mine.insert(p.unsafeGetTensorImpl());
  for (const auto& other : optimizers_) {
    for (const ParamGroup& group : other->groups())
      for (at::Tensor p : group.params) {
        if (mine.count(p.unsafeGetTensorImpl())) continue;
        toggled_.emplace_back(p, p.requires_grad());
        p.set_requires_grad(false);
      }
  }
}

nlohmann::json OptimizerSet::schedules_state() const {
  nlohmann::json state = nlohmann::json::array();
  for (const ScheduleConfig& s : schedules_) {
    state.push_back(s.scheduler->state_dict());
    state.back()["paused"] = s.paused;
  }
  return state;
}

void OptimizerSet::load_schedules_state(const nlohmann::json& state) {
  if (!state.is_array() || state.size() != schedules_.size())
    throw Error(ErrorCode::checkpoint_state_refused, "the checkpoint has " + std::to_string(state.size()) +
                                                         " learning-rate schedules, and the run has " +
                                                         std::to_string(schedules_.size()));
  for (size_t i = 0; i < schedules_.size(); ++i) {
    schedules_[i].scheduler->load_state_dict(state[i]);
    schedules_[i].paused = state[i].value("paused", false);
  }
}

}  // namespace levin::core
