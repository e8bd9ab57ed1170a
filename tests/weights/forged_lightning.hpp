// A checkpoint written by Lightning, with changed values.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/weights/state_dict_file.hpp"
#include "lightning/file/lightning_checkpoint.hpp"
#include "lightning/file/torch_tree.hpp"

namespace weights_test {

class ForgedLightning {
 public:
  explicit ForgedLightning(const std::string& path) : file_(path), weights_(path) {
    values["pytorch-lightning_version"] = file_.version();
    values["state_dict"] = nlohmann::json::object();
    for (const std::string key : {"loops", "optimizer_states", "lr_schedulers", "callbacks"}) {
      const levin::core::TorchTree tree = file_.part(key);
      values[key] = tree.values;
      for (const auto& [place, value] : tree.tensors) tensors[key + "/" + place] = file_.tensor(value, place);
    }
    for (const std::string& name : file_.weight_names()) tensors["state_dict/" + name] = weights_.tensor(name);
  }
  nlohmann::json& at(const std::string& place) { return values[nlohmann::json::json_pointer("/" + place)]; }
  void put(const std::string& place, const nlohmann::json& value) {  // may also replace a tensor
    tensors.erase(place);
    at(place) = value;
  }
  void write(const std::string& path) const {
    levin::core::write_torch_values(path, {values, tensors, file_.weight_names()});
  }

  nlohmann::json values = nlohmann::json::object();
  std::map<std::string, levin::core::StoredTensor> tensors;

 private:
  levin::core::LightningCheckpoint file_;
  levin::core::StateDictFile weights_;
};

}  // namespace weights_test
