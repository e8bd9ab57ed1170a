#include "core/config/saved_options.hpp"

namespace levin::core {
namespace {

void take_options(ComponentConfig& component, const ComponentConfig& saved) {
  if (saved.component == component.component) component.options.update(saved.options);
}

void take_options(std::vector<ComponentConfig>& components, const std::vector<ComponentConfig>& saved) {
  for (size_t i = 0; i < components.size() && i < saved.size(); ++i) take_options(components[i], saved[i]);
}

}  // namespace

void take_saved_options(RunConfig& config, const RunConfig& saved) {
  config.trainer = saved.trainer;
  config.loader = saved.loader;
  take_options(config.model, saved.model);
  if (config.data && saved.data) take_options(*config.data, *saved.data);
  take_options(config.callbacks, saved.callbacks);
  take_options(config.loggers, saved.loggers);
}

}  // namespace levin::core
