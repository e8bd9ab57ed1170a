// All parts of one run, made in order and taken apart in reverse; the only place that creates parts.
#pragma once
#include <memory>
#include <optional>

#include "core/components/plugin_set.hpp"
#include "core/config/run_config.hpp"
#include "core/services/run_state.hpp"
#include "core/run_folder/run_lock.hpp"
#include "core/trainer/signals.hpp"

namespace levin::core {

class Assembly {
 public:
  // stage: LEVIN_STAGE_*, of the first part of the run. Prepares and sets up the data, then makes the model.
  Assembly(RunConfig config, uint32_t stage, Console& console);
  void prepare_data();  // of the data module and of the model's component

  RunConfig config;
  RunPlan plan;
  Console& console;
  uint64_t seed;
  PluginSet plugins;
  std::optional<RunFolder> folder;  // none under fast_dev_run
  std::optional<RunLock> lock;      // of the folder
  std::unique_ptr<Strategy> strategy;
  std::unique_ptr<Precision> precision;
  std::unique_ptr<DataModule> data;
  std::unique_ptr<DataInfo> data_info;
  std::unique_ptr<Model> model;
  std::unique_ptr<LoaderSet> loaders;
  std::unique_ptr<Dispatcher> hooks;
  std::unique_ptr<LoggerList> loggers;
  std::unique_ptr<LoggerConnector> log;
  std::unique_ptr<OptimizerSet> optimizers;
  std::unique_ptr<Optimization> optimization;
  std::unique_ptr<Snapshots> snapshots;
  FitProgress progress;
  StopRequest stop;
  Signals signals;
  std::unique_ptr<RunContext> context;
  std::unique_ptr<RunState> run;
  std::unique_ptr<EvaluationLoop> validation, test;
  std::unique_ptr<TrainingState> state;

 private:
  void choose_folder();
  void save_config_of_new_run();
  void add_model_callbacks();
  void make_data(uint32_t stage);
  void make_model(uint32_t stage);
  void make_hooks(uint32_t stage);
  void make_loop_parts();
  void end_batch();
  void print_call(const std::string& who, uint32_t origin);
  size_t trace_depth_ = 0;
  nlohmann::json provenance() const;
  std::unique_ptr<Optimizer> plugin_optimizer(const std::string& name, const nlohmann::json& options,
                                              std::vector<ParamGroup> groups);
};

}  // namespace levin::core
