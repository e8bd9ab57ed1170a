// Writes one safetensors file so that it is whole or not there, with a checksum for every byte of it. See
// docs/checkpoint-format.md.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levin::core {

struct TensorEntry {
  std::string name;   // 1 to 4096 bytes of UTF-8; not "__metadata__" nor "__pad__.*"
  std::string dtype;  // "F32", ...: see dtype.hpp
  std::vector<uint64_t> shape;
  const void* data = nullptr;  // dense, row-major, little-endian, in host memory; unchanged until the call returns
  uint64_t bytes = 0;          // as dtype and shape say
};

struct SafetensorsContent {
  std::vector<TensorEntry> tensors;                    // order does not matter: the file's is by size and name
  std::map<std::string, std::string> metadata;         // keys do not begin with "levin"
  nlohmann::json manifest = nlohmann::json::object();  // any object without "tensors"; depth at most 64
};

enum class Existing { replace, refuse };

// Returns the file's size. The file appears under `path` in one step, after it and its folder are on the disk; its
// bytes depend on `content` alone. The folder must exist. Throws Error{checkpoint}; nothing is left behind then, and a
// file that was there stays as it was. A link at `path` is replaced, not followed.
uint64_t write_safetensors(const std::string& path, const SafetensorsContent& content,
                           Existing existing = Existing::replace);

}  // namespace levin::core
