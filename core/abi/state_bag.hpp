// The state of one component: bytes and tensors by key, which it writes with levin_writer and reads with levin_reader.
#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <string>

#include "sdk/include/levin/abi.h"

namespace levin::core {

class StateBag {
 public:
  // The writer copies bytes, and copies tensors to the CPU. The bag must outlive its writers and readers.
  levin_writer writer();
  // plugin_version: of the component that wrote the state; must outlive the reader.
  levin_reader reader(const char* plugin_version) const;

  std::map<std::string, std::string>& bytes() { return bytes_; }
  const std::map<std::string, std::string>& bytes() const { return bytes_; }
  std::map<std::string, at::Tensor>& tensors() { return tensors_; }
  const std::map<std::string, at::Tensor>& tensors() const { return tensors_; }
  // What bytes are, "int64" or "text", as the C++ SDK says by putting it under the key with '#' before it.
  std::map<std::string, std::string>& types() { return types_; }
  const std::map<std::string, std::string>& types() const { return types_; }
  bool empty() const { return bytes_.empty() && tensors_.empty(); }

 private:
  std::map<std::string, std::string> bytes_, types_;
  std::map<std::string, at::Tensor> tensors_;
};

}  // namespace levin::core
