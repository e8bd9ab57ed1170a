// Reads safetensors files, ours and others', trusting nothing in them. See docs/checkpoint-format.md.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/checkpoint/container/safetensors_header.hpp"

namespace levin::core {

class FileBytes;

struct TensorView {
  std::string dtype;
  std::vector<uint64_t> shape;
  const void* data = nullptr;  // lives as long as the reader; 64-byte aligned in strict mode, else maybe not at all
  uint64_t bytes = 0;
};

// Every failure is Error{checkpoint} that names the file. The file is mapped: replacing it by another is safe while a
// reader lives, shortening it in place is not. After construction all calls are const and may come from any thread.
class SafetensorsReader {
 public:
  // strict: only what write_safetensors writes; the header's checksum is tested here, the tensors' on request.
  explicit SafetensorsReader(const std::string& path, SafetensorsMode mode = SafetensorsMode::strict);
  // The same from memory; `name` stands for the path in messages.
  SafetensorsReader(std::string bytes, const std::string& name, SafetensorsMode mode);
  ~SafetensorsReader();
  SafetensorsReader(SafetensorsReader&&) noexcept;
  SafetensorsReader& operator=(SafetensorsReader&&) noexcept;

  const std::string& path() const { return path_; }
  uint64_t file_size() const;
  std::vector<std::string> names() const;  // sorted; pads are left out in strict mode
  bool contains(const std::string& name) const { return tensors_.count(name) != 0; }
  TensorView tensor(const std::string& name) const;                                        // throws when there is none
  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }  // without "levin*" if strict
  // What the writer was given; an empty object in reference mode.
  const nlohmann::json& manifest() const { return manifest_; }
  bool has_checksums() const { return mode_ == SafetensorsMode::strict; }

  void verify() const;                         // every tensor and every pad; nothing to do in reference mode
  void verify(const std::string& name) const;  // one tensor

 private:
  void open();
  void check_header(const std::string& length_and_header) const;
  void take_levin_parts();
  void take_checksums();
  void check_levin_tensor(const TensorInfo& info) const;
  void verify(const TensorInfo& info) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  SafetensorsMode mode_;
  std::unique_ptr<FileBytes> file_;
  SafetensorsHeader header_;
  nlohmann::json manifest_ = nlohmann::json::object();
  std::map<std::string, size_t> tensors_;         // name -> index in header_.tensors
  std::map<std::string, std::string> checksums_;  // name -> "xxh3:..."
};

// Which mode a file is to be opened in. True: it has any trace of ours, or cannot be read as another program's: strict
// reads it or says what is wrong. So damage never turns a checkpoint into a file without checksums.
bool looks_like_checkpoint(const std::string& path);

}  // namespace levin::core
