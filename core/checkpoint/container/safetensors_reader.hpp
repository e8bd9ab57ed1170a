// Reads safetensors files of this program and of others without trusting their content. See docs/checkpoint-format.md.
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
  const void* data =
      nullptr;  // valid as long as the reader; 64-byte aligned in strict mode, possibly unaligned otherwise
  uint64_t bytes = 0;
};

// Every failure throws Error{checkpoint} that names the file. The file is mapped: while a reader exists, the file may
// be replaced by another one, but it must not be shortened in place. After construction any thread may call any
// function.
class SafetensorsReader {
 public:
  // Strict mode accepts only files from write_safetensors and checks the header's checksum; verify() checks the
  // tensors.
  explicit SafetensorsReader(const std::string& path, SafetensorsMode mode = SafetensorsMode::strict);
  // Reads the file's bytes from memory; messages use `name` as the path.
  SafetensorsReader(std::string bytes, const std::string& name, SafetensorsMode mode);
  ~SafetensorsReader();
  SafetensorsReader(SafetensorsReader&&) noexcept;
  SafetensorsReader& operator=(SafetensorsReader&&) noexcept;

  std::vector<std::string> names() const;  // sorted; pads are left out in strict mode
  bool contains(const std::string& name) const { return tensors_.count(name) != 0; }
  TensorView tensor(const std::string& name) const;  // throws if there is no such tensor
  // In strict mode, excludes the format's own keys, which begin with "levin".
  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }
  // The manifest given to the writer; an empty object in reference mode.
  const nlohmann::json& manifest() const { return manifest_; }

  void verify() const;  // checks every tensor and every pad; does nothing in reference mode

 private:
  void open();
  void check_header(const std::string& length_and_header) const;
  void read_metadata();
  void read_checksums();
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

// Returns true if the file has to be opened in strict mode: it has metadata of this format, or it cannot be read in
// reference mode. A damaged checkpoint is thus never taken for another program's file, which has no checksums.
bool looks_like_checkpoint(const std::string& path);

}  // namespace levin::core
