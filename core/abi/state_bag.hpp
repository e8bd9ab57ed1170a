// The state of one component: bytes and tensors by key, which it writes with levin_writer and reads with levin_reader.
#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <string>

#include "sdk/include/levin/abi.h"

namespace levin::core {

class StateBag {
 public:
  // The writer copies bytes, and copies tensors to the CPU. The bag must outlive the writer and the reader.
  levin_writer writer();
  // plugin_version: the version of the component that wrote the state; must outlive the reader.
  levin_reader reader(const char* plugin_version) const;

  std::map<std::string, std::string>& bytes() { return bytes_; }
  const std::map<std::string, std::string>& bytes() const { return bytes_; }
  std::map<std::string, at::Tensor>& tensors() { return tensors_; }
  const std::map<std::string, at::Tensor>& tensors() const { return tensors_; }
  // The types of values by key: "int64" or "text". The C++ SDK stores the type of KEY under "#KEY".
  std::map<std::string, std::string>& types() { return types_; }
  const std::map<std::string, std::string>& types() const { return types_; }
  bool empty() const { return bytes_.empty() && tensors_.empty(); }

 private:
  std::map<std::string, std::string> bytes_, types_;
  std::map<std::string, at::Tensor> tensors_;
};

}  // namespace levin::core
