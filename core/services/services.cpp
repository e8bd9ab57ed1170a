#include "core/services/services.hpp"

namespace levin::core {

const ServiceTable& services() {
  static const ServiceTable table = {
      {"levin.trainer/1", trainer_service()}, {"levin.params/1", params_service()},
      {"levin.optim/1", optim_service()},     {"levin.checkpoint/1", checkpoint_service()},
      {"levin.trial/1", trial_service()},     {"levin.device/1", device_service()},
      {"levin.dist/1", dist_service()},       {"levin.module_tree/1", module_tree_service()},
      {"levin.ops/1", ops_service()},         {"levin.data/1", data_service()},
  };
  return table;
}

}  // namespace levin::core
