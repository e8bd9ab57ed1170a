#include "core/services/services.hpp"

#include "core/abi/plugin_watch.hpp"
#include "core/services/run.hpp"

namespace levin::core {

void refuse_thread(const char* service) {
  if (BorderWatch* watch = border_watch()) watch->on_training_thread(service);
  const std::string plugin = plugin_on_stack();
  throw Error(ErrorCode::call_invalid,
              (plugin.empty() ? "" : plugin + ": ") + service +
                  " was called from another thread than the training thread; call it in the next hook or step");
}

const ServiceTable& services() {
  static const ServiceTable table = {
      {"levin.trainer/1", trainer_service()},   {"levin.params/1", params_service()},
      {"levin.optim/1", optim_service()},       {"levin.checkpoint/1", checkpoint_service()},
      {"levin.trial/1", trial_service()},       {"levin.devices/1", devices_service()},
      {"levin.dist/1", dist_service()},         {"levin.module_tree/1", module_tree_service()},
      {"levin.ops/1", ops_service()},           {"levin.run_data/1", run_data_service()},
      {"levin.networks/1", networks_service()},
  };
  return table;
}

}  // namespace levin::core
