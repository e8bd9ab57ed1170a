// A small checkpoint that covers odd sizes, an empty tensor, a scalar and non-ASCII text.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/checkpoint/container/safetensors_writer.hpp"

namespace levin::core {

struct TempFolder {
  std::string path;
  TempFolder() {
    char name[] = "/tmp/levin_checkpoint_test_XXXXXX";
    path = mkdtemp(name);
  }
  ~TempFolder() { std::filesystem::remove_all(path); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string operator/(const std::string& name) const { return path + "/" + name; }
  size_t entries() const {
    using Iterator = std::filesystem::directory_iterator;
    return static_cast<size_t>(std::distance(Iterator(path), Iterator()));
  }
};

inline std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void spill(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// The tensors' data lives as long as the program.
inline SafetensorsContent sample_content() {
  static const float weight[] = {0, -1.5f, 2.25f, 1e-30f, 3e30f, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
  static const int64_t steps[] = {1, -2, 3, -4, 5, -6, 7, -8};
  static const float lr = 0.1f;
  static const uint8_t mask[] = {1, 0, 1};
  SafetensorsContent content;
  content.tensors = {{"model.weight", "F32", {5, 3}, weight, sizeof weight},
                     {"optimizer.steps", "I64", {8}, steps, sizeof steps},
                     {"optimizer.lr", "F32", {}, &lr, sizeof lr},
                     {"mask", "BOOL", {3, 1}, mask, sizeof mask},
                     {"empty", "F16", {0, 4}, nullptr, 0}};
  content.metadata = {{"format", "pt"}, {"note", "line\nh\xc3\xa4\xe2\x82\xac \"quoted\" \\"}};
  content.manifest = {
      {"epoch", 3}, {"config", {{"lr", 0.1}, {"name", "r\xc3\xa9sum\xc3\xa9"}}}, {"list", {1, nullptr, true}}};
  return content;
}

}  // namespace levin::core
