// The components of a run, made from plugins: data module, model, callbacks and loggers.
#pragma once
#include <memory>
#include <vector>

#include "core/components/callback.hpp"
#include "core/components/data_module.hpp"
#include "core/components/logger.hpp"
#include "core/components/model.hpp"
#include "core/components/plugin_set.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

class RunComponents {
 public:
  // stage: LEVIN_STAGE_*, of the first part of the run. Prepares and sets up the data, then makes the model. Adds the
  // model's own callbacks to the configuration. Throws Error{plugin}, and what the components throw.
  RunComponents(RunSettings& settings, uint32_t stage, Console& console);
  void prepare_data();  // of the data module and of the model's component

  std::vector<std::unique_ptr<Callback>> make_callbacks();
  std::vector<std::unique_ptr<Logger>> make_loggers();

  PluginSet plugins;
  std::unique_ptr<DataModule> data;
  std::unique_ptr<DataInfo> data_info;  // nullptr where the model brings the data
  std::unique_ptr<Model> model;

 private:
  void add_model_callbacks(RunConfig& config);
  void make_data();
  void make_model();
  void adopt_data_of_model();
  Created create(const ComponentConfig& component, uint32_t kind, const levin_data_info* info = nullptr);

  const RunConfig& config_;
  uint32_t stage_;
};

}  // namespace levin::core
