// The numbers and texts of a run by name.
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/data/limits.hpp"
#include "core/loops/fit_loop.hpp"
#include "core/services/run_state.hpp"

namespace levin::core {
namespace {

double batches(RunContext& c, uint32_t split) { return static_cast<double>(c.loaders.total_batches(split)); }

// Of the check before the fit: of each loader so many, and no more than it has.
double sanity_val_batches(RunContext& c) {
  if (c.plan.num_sanity_val_steps == 0 || c.plan.limit_val.off()) return 0;
  std::vector<std::optional<int64_t>> lengths;
  for (const int64_t limit : c.loaders.limits(LEVIN_VAL)) {
    const int64_t n = sanity_batches(c.plan.num_sanity_val_steps, limit);
    lengths.push_back(n == unlimited ? std::nullopt : std::optional<int64_t>(n));
  }
  return static_cast<double>(combined_length(c.loaders.mode(LEVIN_VAL), lengths).value_or(unlimited));
}

double stepping_batches(RunContext& c) {
  if (const auto n = FitLoop::estimated_stepping_batches(c)) return static_cast<double>(*n);
  const bool one_window = c.plan.accumulate_grad_batches.size() == 1;
  if (c.plan.max_epochs < 0 && one_window) return std::numeric_limits<double>::infinity();
  throw Error(ErrorKind::usage,
              "the number of optimizer steps is not known: give trainer.max_steps, or max_epochs "
              "with data of known length and one number of accumulate_grad_batches");
}

using Getter = double (*)(RunContext&);
const std::map<std::string, Getter>& getters() {
  static const std::map<std::string, Getter> table = {
      {"current_epoch", [](RunContext& c) { return static_cast<double>(c.at().epoch); }},
      {"global_step", [](RunContext& c) { return static_cast<double>(c.at().global_step); }},
      {"batch_idx", [](RunContext& c) { return static_cast<double>(c.at().batch_idx); }},
      {"dataloader_idx", [](RunContext& c) { return static_cast<double>(c.at().dataloader_idx); }},
      {"num_dataloaders", [](RunContext& c) { return static_cast<double>(c.at().num_dataloaders); }},
      {"total_batch_idx", [](RunContext& c) { return static_cast<double>(c.progress.batch.total.ready - 1); }},
      {"max_epochs", [](RunContext& c) { return static_cast<double>(c.plan.max_epochs); }},
      {"max_steps", [](RunContext& c) { return static_cast<double>(c.plan.max_steps); }},
      // As Lightning's: not known where nothing is trained.
      {"num_training_batches",
       [](RunContext& c) { return c.plan.limit_train.off() ? HUGE_VAL : batches(c, LEVIN_TRAIN); }},
      {"num_val_batches", [](RunContext& c) { return batches(c, LEVIN_VAL); }},
      {"num_test_batches", [](RunContext& c) { return batches(c, LEVIN_TEST); }},
      {"num_predict_batches", [](RunContext& c) { return batches(c, LEVIN_PREDICT); }},
      {"num_sanity_val_batches", &sanity_val_batches},
      {"batches_that_stepped", [](RunContext& c) { return static_cast<double>(c.progress.batches_that_stepped); }},
      {"estimated_stepping_batches", &stepping_batches},
      {"accumulate_grad_batches",
       [](RunContext& c) { return static_cast<double>(c.progress.accumulate_grad_batches); }},
      {"log_every_n_steps", [](RunContext& c) { return static_cast<double>(c.plan.log_every_n_steps); }},
      {"check_val_every_n_epoch",
       [](RunContext& c) { return static_cast<double>(c.plan.check_val_every_n_epoch.value_or(0)); }},
      {"val_check_interval",
       [](RunContext& c) {
         return c.plan.val_check_interval.seconds ? std::nan("") : c.plan.val_check_interval.value;
       }},
      {"fast_dev_run", [](RunContext& c) { return static_cast<double>(c.plan.fast_dev_run); }},
      {"sanity_checking", [](RunContext& c) { return c.at().stage == LEVIN_STAGE_SANITY ? 1.0 : 0.0; }},
      {"is_last_batch", [](RunContext& c) { return c.progress.is_last_batch ? 1.0 : 0.0; }},
      {"should_stop", [](RunContext& c) { return c.stop.asked() ? 1.0 : 0.0; }},
      {"should_update_logs",
       [](RunContext& c) { return c.log.due(c.progress.batches_that_stepped, c.stop.asked()) ? 1.0 : 0.0; }},
      {"automatic_optimization", [](RunContext& c) { return c.model.manual_optimization() ? 0.0 : 1.0; }},
      {"batch_size", [](RunContext& c) { return static_cast<double>(c.loaders.batch_size()); }},
      {"train_rows", [](RunContext& c) { return static_cast<double>(c.loaders.rows(LEVIN_TRAIN)); }},
      {"time_train_seconds", [](RunContext& c) { return c.progress.seconds(); }},
  };
  return table;
}

}  // namespace

bool RunState::number(const std::string& name, double& out) {
  if (name == "validates") {
    out = validation_ && validation_->enabled() ? 1.0 : 0.0;
    return true;
  }
  if (name == "num_loggers") {
    out = static_cast<double>(loggers_.all().size());
    return true;
  }
  const auto found = getters().find(name);
  if (found != getters().end()) {
    out = found->second(c_);
    return true;
  }
  if (name.find('.') == std::string::npos) return false;
  const auto count = c_.progress.count(name);  // it composes every name it knows, so it comes last
  if (count) out = static_cast<double>(*count);
  return count.has_value();
}

bool RunState::set_number(const std::string& name, double value) {
  if (name == "accumulate_grad_batches") {
    if (value < 1) throw Error(ErrorKind::usage, "accumulate_grad_batches has to be at least 1");
    c_.progress.accumulate_grad_batches = static_cast<int64_t>(value);
    return true;
  }
  if (name != "max_epochs") return false;
  plan_.max_epochs = static_cast<int64_t>(value);
  return true;
}

void RunState::set_option(const std::string& name, const std::string& json) {
  const auto dot = name.find('.');
  const std::string group = name.substr(0, dot), option = dot == std::string::npos ? "" : name.substr(dot + 1);
  const nlohmann::json value = parse_json(json, "option '" + name + "'");
  if (option.empty() || (group != "model" && group != "data" && group != "trainer"))
    throw Error(ErrorKind::usage, "option '" + name + "' cannot be set; valid: model.NAME, data.NAME, trainer.NAME");
  if (!folder_) return;
  nlohmann::json config = folder_->config();
  nlohmann::json& options = group == "trainer"                                        ? config["trainer"]
                            : group == "data" && config.at("loader").contains(option) ? config["loader"]
                                                                                      : config[group]["options"];
  if (!options.contains(option)) throw Error(ErrorKind::usage, "there is no option '" + name + "' to set");
  options[option] = value;
  folder_->save_config(config);
}

const char* RunState::text(const std::string& name) {
  constexpr const char* stages[] = {"fit", "validate", "test", "predict", "sanity_check"};
  if (name == "run_dir") return run_dir_.c_str();
  if (name == "run_id") return run_id_.c_str();
  if (name == "default_root_dir") return texts_.default_root_dir.c_str();
  if (name == "model") return texts_.model.c_str();
  if (name == "data") return texts_.data.c_str();
  if (name == "config") return texts_.config.c_str();
  if (name == "stage") return stages[c_.at().stage];
  return nullptr;
}

}  // namespace levin::core
