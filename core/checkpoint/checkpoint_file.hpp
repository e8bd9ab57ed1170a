// Writes and reads the tensors, state and manifest of a checkpoint as a safetensors file.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/abi/state_bag.hpp"

namespace levin::core {

class SafetensorsReader;

// Collects the content of one file. Keys are joined by dots: "state_dict.conv1.weight".
class CheckpointWriter {
 public:
  // A contiguous CPU tensor is not copied: it is read when the file is written and must not change before.
  void put(const std::string& key, const at::Tensor& tensor);
  // Adds the bag's tensors as "PREFIX.key" and its bytes as U8 tensors, which the manifest lists under "bytes".
  void put(const std::string& prefix, const StateBag& bag);
  nlohmann::json& manifest() { return manifest_; }
  // Writes the file atomically and durably, and makes missing folders. Throws Error{checkpoint}.
  void write(const std::string& path) const;

 private:
  nlohmann::json manifest_ = nlohmann::json::object();
  std::vector<std::pair<std::string, at::Tensor>> tensors_;
};

// Reads and verifies a checkpoint, or reads weights from another program's safetensors file.
class CheckpointReader {
 public:
  explicit CheckpointReader(const std::string& path);
  ~CheckpointReader();
  const std::string& path() const { return path_; }
  const nlohmann::json& manifest() const { return manifest_; }
  bool weights_only() const { return manifest_.value("weights_only", false) || foreign_; }
  // Whether another program wrote the file. It then has no manifest, and every tensor belongs to the state_dict.
  // The keys that begin with "PREFIX.", without that prefix.
  std::vector<std::string> keys(const std::string& prefix) const;
  bool contains(const std::string& key) const;
  at::Tensor tensor(const std::string& key) const;  // a copy
  StateBag bag(const std::string& prefix) const;

 private:
  std::string path_;
  bool foreign_ = false;
  nlohmann::json manifest_;
  std::unique_ptr<SafetensorsReader> file_;
};

}  // namespace levin::core
