// The options that the host gives every data module (its loaders) and every model (its initial weights).
#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

// The values of loader_options(). They apply to every loader unless the data module overrides them.
struct LoaderDefaults {
  int64_t batch_size = 0;         // training
  int64_t global_batch_size = 0;  // training, over all processes; 0 = batch_size per process
  int64_t eval_batch_size = 0;    // validation, test and prediction
  bool shuffle = false, drop_last = false, bucket_by_length = false;
  std::optional<int64_t> num_workers = 0;  // 0 = the training thread prepares batches; nullopt = by measurement
  int64_t prefetch_factor = 0;
  std::optional<bool> pin_memory;  // nullopt = if batches are copied to a GPU
  bool move_bytes = false;         // no option: set where batches are copied to a GPU
  std::set<std::string> given;     // names of the options that the user set
};

struct LoaderOption {
  OptionSchema schema;
  std::function<void(LoaderDefaults&, const nlohmann::json&)> set;
};

const std::vector<LoaderOption>& loader_options();

// loader: RunConfig::loader; given: RunConfig::loader_given.
LoaderDefaults make_loader_defaults(const nlohmann::json& loader, const std::vector<std::string>& given = {});

struct InitWeights {
  std::optional<std::string> from;                // an absolute path
  bool strict = true;                             // every tensor of the model and of the file has to match
  nlohmann::json map = nlohmann::json::object();  // see core/weights/name_map.hpp
};

const std::vector<OptionSchema>& weight_options();

// values: RunConfig::weights. Missing values get their defaults.
InitWeights init_weights_from(const nlohmann::json& values);

}  // namespace levin::core
