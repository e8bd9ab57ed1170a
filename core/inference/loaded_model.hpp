// A trained model without a run: its plugin and the weights of a checkpoint.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/console/console.hpp"
#include "core/checkpoint/checkpoint_file.hpp"
#include "core/checkpoint/data_fields.hpp"
#include "core/components/model.hpp"
#include "core/components/plugin_set.hpp"
#include "core/config/run_config.hpp"
#include "core/precision/precision.hpp"
#include "core/services/dist_parts.hpp"
#include "core/services/run.hpp"

namespace levin::core {

struct ModelSource {
  std::string checkpoint;
  std::string plugin;  // the model's library; "": the one that the checkpoint names, or its copy in a folder of plugins
  bool trust = false;  // as --trust
  at::Device device{at::kCPU};
};

// Made, used and destroyed with the model in evaluation mode. The generators of random numbers stay as they were.
class LoadedModel {
 public:
  // warn: takes lines for people. Throws Error.
  LoadedModel(const ModelSource& source, const std::function<void(const std::string&)>& warn);
  ~LoadedModel();

  // What the network's forward gives, without gradients, on the model's device. Any thread may call it; calls take
  // turns.
  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs);
  // The inputs as forward() hands them to the network: on its device, of its element type.
  std::vector<at::Tensor> placed(const std::vector<at::Tensor>& inputs) const;
  // The fields of the data that it was trained on; empty where the model brought its own.
  const std::vector<FieldInfo>& fields() const { return data_.fields(); }
  // For those who call it otherwise, from the thread that made this.
  Model& model() { return *model_; }
  levin_run* run() { return &run_; }

 private:
  LoadedModel(const ModelSource& source, const CheckpointReader& file,
              const std::function<void(const std::string&)>& warn);
  void make(const ComponentConfig& saved, const ModelSource& source);
  ComponentConfig placed_plugin(const ComponentConfig& saved, const ModelSource& source);
  void load_state(const CheckpointReader& file);
  void tell(uint32_t hook, const std::function<void(levin_event&)>& more);

  Console console_;
  SavedDataInfo data_;
  PluginSet plugins_;
  levin_run run_;
  DeviceParts device_;
  DistParts dist_;
  std::unique_ptr<Precision> precision_;
  std::unique_ptr<Model> model_;
  std::mutex turn_;
};

}  // namespace levin::core
