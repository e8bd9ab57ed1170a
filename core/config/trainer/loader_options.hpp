// The options of the data group that apply to the loaders of every data module.
#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

// The values of loader_options(). They apply to every loader for which the data module asks for nothing else.
struct LoaderDefaults {
  int64_t batch_size = 0;       // training
  int64_t eval_batch_size = 0;  // validation, test and prediction
  bool shuffle = false, drop_last = false;
  int64_t num_workers = 0;  // 0: the training thread prepares batches
  int64_t prefetch_factor = 0;
  bool pin_memory = false;
};

struct LoaderOption {
  OptionSchema schema;
  std::function<void(LoaderDefaults&, const nlohmann::json&)> set;
};

const std::vector<LoaderOption>& loader_options();

// loader: RunConfig::loader.
LoaderDefaults make_loader_defaults(const nlohmann::json& loader);

}  // namespace levin::core
