// Every tensor handle that crossed the border: who holds references to it, and who gave the last one back.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "core/abi/tensor_handle.hpp"

namespace levin::core {

// Knows a handle by a weak reference, so that the address of a tensor that is gone does not become that of another.
class HandleTable {
 public:
  void lend(levin_tensor* handle);
  void hand_over(levin_tensor* handle, const std::string& plugin);
  // The following return what is wrong with the use, or "". `strict`: a handle that is not known is wrong, because the
  // plugin can have it from nowhere but the host.
  std::string use(levin_tensor* handle, bool strict) const;
  // `who`: the plugin and its call, for messages about the next use.
  std::string hand_back(levin_tensor* handle, const std::string& plugin, const std::string& who, bool strict);

  // "float32 [3, 2]" -> how many, of the tensors to which the plugin holds references.
  std::map<std::string, int64_t> held_by(const std::string& plugin) const;

 private:
  using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  struct Entry {
    WeakTensor tensor;
    std::string what;                             // "float32 [3, 2]"
    uint64_t number;                              // in order of coming
    std::map<std::string, int64_t> references{};  // by plugin
    std::string gone{};                           // who gave the last reference back
  };
  Entry& entry(levin_tensor* handle);
  std::string gone(const Entry& entry) const;
  void forget_old();

  std::unordered_map<levin_tensor*, Entry> entries_;
  uint64_t next_number_ = 0;
  size_t most_ = 1 << 16;
};

}  // namespace levin::core
