#include "lightning/file/lightning_writer.hpp"

#include <deque>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "lightning/file/python_optimizer.hpp"
#include "lightning/file/state_conversions.hpp"
#include "lightning/file/torch_tree.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// The first version with this checkpoint format.
constexpr const char* lightning_version = "2.0.0";
constexpr std::string_view weight_prefix = "state_dict.";

StoredTensor stored_tensor(const SafetensorsReader& file, const std::string& name) {
  const TensorView view = file.tensor(name);
  return {view.dtype, view.shape, dense_strides(view.shape), static_cast<const char*>(view.data), view.bytes};
}

class LightningWriter {
 public:
  LightningWriter(const std::string& checkpoint, const NameMap& names) : file_(checkpoint), names_(names) {
    file_.verify();
  }

  TorchValues collect() {
    const json& m = file_.manifest();
    for (const char* part : {"optimizer_states", "lr_schedulers", "loops"})
      if (!m.contains(part)) throw std::runtime_error("it holds weights only; --format pt exports them");
    add_weights();
    json& values = out_.values;
    values["epoch"] = m.at("epoch");
    values["global_step"] = m.at("global_step");
    values["pytorch-lightning_version"] = lightning_version;
    values["state_dict"] = json::object();
    values["loops"]["fit_loop"] = loops_for_lightning(m["loops"]);
    values["callbacks"] = json::object();
    values["hyper_parameters"] = m.value(json::json_pointer("/config/model/options"), json::object());
    values["optimizer_states"] = values["lr_schedulers"] = json::array();
    for (const json& state : m["optimizer_states"])
      values["optimizer_states"].push_back(optimizer(state.at("values"), values["optimizer_states"].size()));
    for (const json& schedule : m["lr_schedulers"]) values["lr_schedulers"].push_back(schedule_for_python(schedule));
    return std::move(out_);
  }

 private:
  void add_weights() {
    for (const std::string& name : file_.names()) {
      if (!starts_with(name, weight_prefix)) continue;
      const auto target = names_(name.substr(weight_prefix.size()));
      if (!target) continue;
      if (!out_.tensors.emplace("state_dict/" + *target, stored_tensor(file_, name)).second)
        throw std::runtime_error("--names: two tensors would be called '" + *target + "'");
      out_.order.push_back(*target);
    }
  }

  // Converts an optimizer's state. Parameter numbers continue from group to group.
  json optimizer(const json& values, size_t index) {
    const std::string id = values.at("optimizer"), place = "optimizer_states/" + std::to_string(index) + "/state/";
    const PythonOptimizer* kind = python_optimizer(id);
    if (kind == nullptr)
      throw std::runtime_error("Python has no optimizer like '" + id + "'; --format pt exports the weights alone");
    json out = {{"state", json::object()}, {"param_groups", json::array()}};
    int64_t number = 0;
    for (const json& group : values.at("groups")) {
      json python = group.at("options");
      if (group.contains("initial_lr")) python["initial_lr"] = group["initial_lr"];
      if (python.contains("amsgrad")) python["decoupled_weight_decay"] = id == "adamw";
      python["params"] = python["param_names"] = json::array();
      const size_t g = out["param_groups"].size();
      for (size_t p = 0; p < group.at("params").size(); ++p, ++number) {
        const std::string name = group["params"][p];
        python["params"].push_back(number);
        python["param_names"].push_back(names_(name).value_or(name));
        const std::string key =
            "optimizer_states." + std::to_string(index) + "." + std::to_string(g) + "." + name + ".";
        json state = param(*kind, key, place + std::to_string(number) + "/");
        if (state.empty()) continue;
        if (kind->counts_steps) add_steps(group.at("steps").at(p), place + std::to_string(number) + "/step", state);
        out["state"][std::to_string(number)] = std::move(state);
      }
      out["param_groups"].push_back(std::move(python));
    }
    return out;
  }

  json param(const PythonOptimizer& kind, const std::string& key, const std::string& place) {
    json out = json::object();
    for (const PythonOptimizer::Slot& slot : kind.slots) {
      if (!file_.contains(key + slot.name)) continue;
      out_.tensors[place + slot.name] = stored_tensor(file_, key + slot.name);
      out[slot.name] = nullptr;
    }
    return out;
  }

  void add_steps(int64_t steps, const std::string& place, json& state) {
    const float& value = steps_.emplace_back(static_cast<float>(steps));
    out_.tensors[place] = {"F32", {}, {}, reinterpret_cast<const char*>(&value), sizeof value};
    state["step"] = nullptr;
  }

  const SafetensorsReader file_;
  const NameMap& names_;
  std::deque<float> steps_;  // referenced by tensors
  TorchValues out_;
};

}  // namespace

WrittenTensors write_lightning_checkpoint(const std::string& path, const std::string& checkpoint,
                                          const NameMap& names) {
  LightningWriter writer(checkpoint, names);
  TorchValues values;
  try {
    values = writer.collect();
  } catch (const json::exception& e) {
    throw Error(ErrorCode::checkpoint_damaged,
                checkpoint + ": it is not a complete checkpoint: " + brief_json_error(e.what()));
  } catch (const std::runtime_error& e) {
    if (starts_with(e.what(), checkpoint)) throw;
    throw Error(ErrorCode::checkpoint_not_writable, checkpoint + ": " + e.what());
  }
  write_torch_values(path, values);
  WrittenTensors out{values.tensors.size(), 0};
  for (const auto& [place, tensor] : values.tensors) out.bytes += tensor.bytes;
  return out;
}

}  // namespace levin::core
