// Writes and reads the tensors, state and manifest of a checkpoint as a safetensors file.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/abi/state_bag.hpp"
#include "core/checkpoint/snapshot_memory.hpp"

namespace levin::core {

class SafetensorsReader;

// Collects the content of one file. Keys are joined by dots: "state_dict.conv1.weight".
class CheckpointWriter {
 public:
  // Does not copy the tensor: it is read when the file is written and must not change before.
  void put(const std::string& key, const at::Tensor& tensor);
  // Adds the bag's tensors as "PREFIX.key" and its bytes as U8 tensors, which the manifest lists under "bytes".
  void put(const std::string& prefix, const StateBag& bag);
  void put_copy(const std::string& key, const at::Tensor& tensor) { tensors_.push_back({key, tensor, true}); }
  void visit(const std::function<void(const std::string& key, const at::Tensor& tensor)>& visit) const;
  nlohmann::json& manifest() { return manifest_; }
  const nlohmann::json& manifest() const { return manifest_; }
  // Copies the tensors into `memory`, so that the originals may change while `memory` stays untouched. A bag's tensors
  // are copies already. Throws std::bad_alloc; then nothing has changed.
  void copy_into(SnapshotMemory& memory);
  // Writes the file atomically and durably, and makes missing folders. Throws Error{checkpoint}.
  void write(const std::string& path) const;

 private:
  nlohmann::json manifest_ = nlohmann::json::object();
  struct Entry {
    std::string key;
    at::Tensor tensor;
    bool copied;
  };
  std::vector<Entry> tensors_;
};

// Reads and verifies a checkpoint, or reads weights from another program's safetensors file.
class CheckpointReader {
 public:
  // verified: the file if it has been read in full already; nullptr = read it now.
  explicit CheckpointReader(const std::string& path, std::shared_ptr<const SafetensorsReader> verified = nullptr);
  ~CheckpointReader();
  // Makes the reader return the state that process `rank` of `world_size` saved. If the file is of another world size,
  // or rank 0 saved it alone after losing a process, the other ranks find no state of their own. They then get the data
  // module's state of rank 0.
  void read_as(int rank, int world_size);
  CheckpointReader of_rank(int rank) const;  // the same file, read as this rank
  int world_size() const;                    // of the run that saved the file
  // Returns true if the run had several processes and rank 0 saved the file alone after losing one.
  bool saved_by_first_alone() const;
  bool has_own_section() const { return !has_no_section_; }
  const std::string& path() const { return path_; }
  const nlohmann::json& manifest() const { return manifest_; }
  bool weights_only() const { return manifest_.value("weights_only", false) || foreign_; }
  // Returns the keys that begin with "PREFIX.", without that prefix. A file of another program has no manifest, and all
  // its tensors belong to "state_dict".
  std::vector<std::string> keys(const std::string& prefix) const;
  bool contains(const std::string& key) const;
  at::Tensor tensor(const std::string& key) const;  // a copy
  StateBag bag(const std::string& prefix) const;

 private:
  void open();
  std::string name_of(const std::string& key) const;
  std::string path_;
  bool foreign_ = false;
  std::string section_;          // "ranks.1.", the prefix of the process's own state; "" = rank 0
  bool has_no_section_ = false;  // the file holds no state of this process
  nlohmann::json manifest_;
  std::shared_ptr<const SafetensorsReader> file_;
};

}  // namespace levin::core
