// A checkpoint or another program's safetensors file, as read by `host ckpt`.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/checkpoint/container/safetensors_reader.hpp"

namespace levin::core::ckpt {

struct CkptFile {
  // word: a file, or a run folder, which means its newest valid checkpoint. Reads only the header. Throws
  // Error{checkpoint}.
  explicit CkptFile(const std::string& word);
  bool weights_only() const;
  // Returns the tensors of the model by their names in the model.
  std::map<std::string, std::string> weights() const;

  std::string path;
  bool foreign;  // the file has no manifest, so every tensor belongs to the model
  SafetensorsReader reader;
};

std::string bytes_text(uint64_t bytes);                                   // "11.2 MiB"
std::string shape_text(const std::vector<uint64_t>& shape);               // "[64, 3, 7, 7]"
std::string value_text(const nlohmann::json& manifest, const char* key);  // "" if the key is missing

}  // namespace levin::core::ckpt
