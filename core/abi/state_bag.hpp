// Keyed bytes and tensors: the state of one component, as it goes through levin_writer and levin_reader.
#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <string>

#include "sdk/include/levin/abi.h"

namespace levin::core {

class StateBag {
 public:
  // Values are copied; tensors are copied to the CPU. The tables borrow the bag.
  levin_writer writer();
  // version: of the component that wrote it; outlives the reader.
  levin_reader reader(const char* plugin_version) const;

  std::map<std::string, std::string>& bytes() { return bytes_; }
  const std::map<std::string, std::string>& bytes() const { return bytes_; }
  std::map<std::string, at::Tensor>& tensors() { return tensors_; }
  const std::map<std::string, at::Tensor>& tensors() const { return tensors_; }
  bool empty() const { return bytes_.empty() && tensors_.empty(); }

 private:
  std::map<std::string, std::string> bytes_;
  std::map<std::string, at::Tensor> tensors_;
};

}  // namespace levin::core
