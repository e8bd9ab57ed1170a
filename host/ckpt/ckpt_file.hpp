// A checkpoint, or another program's safetensors file, as `host ckpt` reads it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/checkpoint/container/safetensors_reader.hpp"

namespace levin::core::ckpt {

struct CkptFile {
  // word: a file, or a run's folder, which stands for its newest whole checkpoint. Throws Error{checkpoint}. Reads the
  // header alone.
  explicit CkptFile(const std::string& word);
  bool weights_only() const;
  // The tensors of the model, by their names in it.
  std::map<std::string, std::string> weights() const;

  std::string path;
  bool foreign;  // without a manifest: every tensor is one of the model
  SafetensorsReader reader;
};

std::string bytes_text(uint64_t bytes);                                   // "11.2 MiB"
std::string shape_text(const std::vector<uint64_t>& shape);               // "[64, 3, 7, 7]"
std::string value_text(const nlohmann::json& manifest, const char* key);  // "" where it is not there

}  // namespace levin::core::ckpt
