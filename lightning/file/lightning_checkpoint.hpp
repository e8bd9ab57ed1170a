// A checkpoint of PyTorch Lightning, except its weights, which StateDictFile reads.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/weights/stored_tensor.hpp"
#include "core/weights/torch_file.hpp"
#include "lightning/file/torch_tree.hpp"

namespace levin::core {

class LightningCheckpoint {
 public:
  // Throws Error{checkpoint}, whose message begins with the path, also for a file that Lightning itself cannot resume
  // from.
  explicit LightningCheckpoint(const std::string& path);

  const std::string& path() const { return path_; }
  const std::string& version() const { return version_; }  // Lightning's version
  std::vector<std::string> keys() const { return keys_of(file_.pickle().root()); }
  std::vector<std::string> weight_names() const;    // in the file's order
  std::vector<std::string> callback_names() const;  // without their arguments
  nlohmann::json hyper_parameters() const;          // an object

  // Returns a top-level entry, such as "optimizer_states". Throws Error{checkpoint} if there is none.
  TorchTree part(const std::string& key) const;
  // Returns a tensor of a part. Throws Error{checkpoint}.
  StoredTensor tensor(uint32_t value, const std::string& name) const { return file_.tensor(value, name); }
  // Returns the number at this place of a part, also from a tensor with one element. Throws Error{checkpoint}.
  double number(const TorchTree& tree, const std::string& place) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::vector<std::string> keys_of(uint32_t dict) const;
  void check() const;

  std::string path_, version_;
  TorchFile file_;
};

}  // namespace levin::core
