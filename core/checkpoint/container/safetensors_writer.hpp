// Writes a safetensors file, all or nothing, with checksums that cover every byte. See docs/checkpoint-format.md.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levin::core {

struct TensorEntry {
  std::string name;   // 1 to 4096 bytes of UTF-8; neither "__metadata__" nor "__pad__.*"
  std::string dtype;  // "F32", ...; see dtype.hpp
  std::vector<uint64_t> shape;
  const void* data = nullptr;  // dense, row-major, little-endian, in host memory; must not change during the call
  uint64_t bytes = 0;          // must match dtype and shape
};

struct SafetensorsContent {
  std::vector<TensorEntry> tensors;                    // in any order; the file orders them by size and name
  std::map<std::string, std::string> metadata;         // keys must not begin with "levin"
  nlohmann::json manifest = nlohmann::json::object();  // any object without the key "tensors", at most 64 levels deep
};

// Replaces `path` atomically once the whole file is on the disk; a link at `path` is replaced and not followed. The
// folder must exist. The bytes depend on `content` alone. Throws Error{checkpoint}; then no new file is left behind,
// and a file at `path` stays unchanged.
void write_safetensors(const std::string& path, const SafetensorsContent& content);

}  // namespace levin::core
