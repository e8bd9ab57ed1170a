// A checkpoint as values, and its way to and from the container.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/components/state_bag.hpp"

namespace levin::core {

class SafetensorsReader;

// What is collected for one file. Keys are dotted: "state_dict.conv1.weight".
class CheckpointWriter {
 public:
  // The tensor is read when the file is written; it must not change before.
  void put(const std::string& key, const at::Tensor& tensor);
  // Bytes become U8 tensors "PREFIX.key"; which keys are bytes stands in the manifest under "bytes".
  void put(const std::string& prefix, const StateBag& bag);
  nlohmann::json& manifest() { return manifest_; }
  // Atomic and durable. Throws Error{checkpoint}.
  void write(const std::string& path) const;

 private:
  nlohmann::json manifest_ = nlohmann::json::object();
  std::vector<std::pair<std::string, at::Tensor>> tensors_;
};

// A verified file of ours, or weights from somebody else's safetensors file.
class CheckpointReader {
 public:
  explicit CheckpointReader(const std::string& path);
  ~CheckpointReader();
  const std::string& path() const { return path_; }
  const nlohmann::json& manifest() const { return manifest_; }
  bool weights_only() const { return manifest_.value("weights_only", false) || foreign_; }
  bool foreign() const { return foreign_; }  // no manifest: every tensor belongs to the state_dict
  // Keys behind "PREFIX.".
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
