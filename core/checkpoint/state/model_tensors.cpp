#include "core/checkpoint/state/model_tensors.hpp"

#include <ATen/core/grad_mode.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core {

void put_weights(CheckpointWriter& out, const Model& model, StateBag& extra) {
  for (const auto* tensors : {&model.parameters(), &model.buffers()}) {
    for (const NamedTensor& t : *tensors) {
      const auto instead = extra.tensors().find("state_dict." + t.name);
      out.put("state_dict." + t.name, instead == extra.tensors().end() ? t.tensor : instead->second);
      if (instead != extra.tensors().end()) extra.tensors().erase(instead);
    }
  }
}

void load_weights(const CheckpointReader& file, const Model& model) {
  const at::NoGradGuard no_grad;
  std::set<std::string> given;
  for (const std::string& key : file.keys("state_dict")) given.insert(key);
  std::vector<std::string> missing;
  auto load = [&](const std::vector<NamedTensor>& tensors) {
    for (const NamedTensor& t : tensors) {
      if (!given.erase(t.name)) {
        missing.push_back(t.name);
        continue;
      }
      const at::Tensor value = file.tensor("state_dict." + t.name);
      if (value.sizes() != t.tensor.sizes())
        throw Error(ErrorCode::checkpoint_does_not_fit, file.path() + ": '" + t.name + "' has the shape " +
                                                            c10::str(value.sizes()) + ", and the model's has " +
                                                            c10::str(t.tensor.sizes()) +
                                                            "; make the model with the same options");
      at::Tensor target = t.tensor;
      target.copy_(value);
    }
  };
  load(model.parameters());
  load(model.buffers());
  if (!missing.empty())
    throw Error(ErrorCode::checkpoint_does_not_fit,
                file.path() + ": the model's " + join_some(missing, 5) + " are not in the checkpoint");
  if (!given.empty())
    throw Error(ErrorCode::checkpoint_does_not_fit, file.path() + ": the model has no " +
                                                        join_some({given.begin(), given.end()}, 5) +
                                                        ", which the checkpoint holds");
}

void put_gradients(CheckpointWriter& out, const Model& model) {
  for (const NamedTensor& t : model.parameters()) {
    const at::Tensor& gradient = t.tensor.grad();
    if (gradient.defined()) out.put("gradients." + t.name, gradient.is_sparse() ? gradient.to_dense() : gradient);
  }
}

void load_gradients(const CheckpointReader& file, const Model& model) {
  for (const NamedTensor& t : model.parameters()) {
    if (!file.contains("gradients." + t.name)) continue;
    at::Tensor parameter = t.tensor;
    const at::Tensor gradient = file.tensor("gradients." + t.name);
    if (gradient.sizes() != parameter.sizes())
      throw Error(ErrorCode::checkpoint_does_not_fit, file.path() + ": 'gradients." + t.name + "' has the shape " +
                                                          c10::str(gradient.sizes()) + ", and the parameter has " +
                                                          c10::str(parameter.sizes()));
    parameter.mutable_grad() = gradient.to(parameter.options());
  }
}

// The manifest holds the outputs' names, which may be any text; the tensors are named by their position.
void put_train_outputs(CheckpointWriter& out, const EpochSteps& steps) {
  if (steps.empty()) return;
  nlohmann::json names = nlohmann::json::array();
  for (const auto& step : steps) {
    const std::string prefix = "train_outputs." + std::to_string(names.size()) + ".";
    nlohmann::json of_step = nlohmann::json::array();
    for (const NamedTensor& t : step) {
      out.put(prefix + std::to_string(of_step.size()), t.tensor);
      of_step.push_back(t.name);
    }
    names.push_back(std::move(of_step));
  }
  out.manifest()["train_outputs"] = std::move(names);
}

EpochSteps load_train_outputs(const CheckpointReader& file, at::Device device) {
  EpochSteps steps;
  for (const nlohmann::json& of_step : file.manifest().value("train_outputs", nlohmann::json::array())) {
    const std::string prefix = "train_outputs." + std::to_string(steps.size()) + ".";
    std::vector<NamedTensor> step;
    for (const nlohmann::json& name : of_step)
      step.push_back({name.get<std::string>(), file.tensor(prefix + std::to_string(step.size())).to(device)});
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace levin::core
