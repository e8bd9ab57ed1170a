// Creates the components of a run from plugins: the data module, the model, the callbacks and the loggers.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "core/components/callback.hpp"
#include "core/components/data_module.hpp"
#include "core/components/logger.hpp"
#include "core/components/model.hpp"
#include "core/components/plugin_set.hpp"
#include "core/distributed/processes.hpp"
#include "core/strategies/common/strategy.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

class RunComponents {
 public:
  // Prepares and sets up the data, then creates the model. Adds the callbacks of the model's configure_callbacks to the
  // configuration. Throws Error{plugin} and the errors of the components.
  // stage: the run's first LEVIN_STAGE_*. before_setup: called with the data module before it is prepared and set up.
  RunComponents(RunSettings& settings, Processes& processes, Strategy& strategy, uint32_t stage, Console& console,
                std::function<void(DataModule&)> before_setup);
  // Calls prepare_data of the data module and of the model's component, in one process per machine or per run. The
  // other processes wait.
  void prepare_data();

  std::vector<std::unique_ptr<Callback>> make_callbacks();
  std::vector<std::unique_ptr<Logger>> make_loggers();  // empty for tuners, and except on rank 0

  PluginSet plugins;
  std::unique_ptr<DataModule> data;
  std::unique_ptr<DataInfo> data_info;  // nullptr = the model brings its own data module
  std::unique_ptr<Model> model;

 private:
  void add_model_callbacks(RunConfig& config);
  void make_data();
  void set_up_data();
  Created create_model();
  void adopt_data_of_model();
  Created create(const ComponentConfig& component, uint32_t kind, const levin_data_info* info = nullptr);

  const RunSettings& settings_;
  const RunConfig& config_;
  Processes& processes_;
  const std::function<void(DataModule&)> before_setup_;
  uint32_t stage_;
};

}  // namespace levin::core
