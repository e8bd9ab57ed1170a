// A trained model outside of a run: its plugin and the weights of a checkpoint.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/console/console.hpp"
#include "core/base/error.hpp"
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
  std::string plugin;  // the model's library; "" = named by the checkpoint, or its copy in a plugin folder
  bool trust = false;  // as the option --trust
  at::Device device{at::kCPU};
};

// The model is in evaluation mode. The state of the random generators is not changed.
class LoadedModel {
 public:
  // warn: receives warnings as lines of text. Throws Error.
  LoadedModel(const ModelSource& source, const Warn& warn);
  ~LoadedModel();

  // Returns the output of the network's forward, without gradients, on the model's device. Thread-safe; calls are
  // serialized.
  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs);
  // Returns the inputs in the form that forward() passes to the network: on its device, in its data type.
  std::vector<at::Tensor> placed(const std::vector<at::Tensor>& inputs) const;
  // Returns the fields of the training data; empty if the model brought its own data.
  const std::vector<FieldInfo>& fields() const { return data_.fields(); }
  const levin_data_info* data() const { return data_.raw(); }  // the same; nullptr = there are none
  // For other calls of the model, on the thread that created this object.
  Model& model() { return *model_; }
  levin_run* run() { return &run_; }

 private:
  LoadedModel(const ModelSource& source, const CheckpointReader& file, const Warn& warn);
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
