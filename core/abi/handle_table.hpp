// Every tensor handle passed between host and plugins: which plugins hold references to it, and which call released
// the last one.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "core/abi/tensor_handle.hpp"

namespace levin::core {

// Holds a weak reference to each tensor, so that the address of a freed tensor is not reused for another one.
class HandleTable {
 public:
  void lend(levin_tensor* handle);
  void hand_over(levin_tensor* handle, const std::string& plugin);
  // The following return the error in the use, or "" if it is valid. strict = true: unknown handles are errors too,
  // because the plugin can have handles only from the host.
  std::string use(levin_tensor* handle, bool strict) const;
  // `who` is the plugin and its call, for the message about a later use.
  std::string hand_back(levin_tensor* handle, const std::string& plugin, const std::string& who, bool strict);

  // Returns the number of tensors to which the plugin holds references, by description: "float32 [3, 2]" -> 4.
  std::map<std::string, int64_t> held_by(const std::string& plugin) const;

 private:
  using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  struct Entry {
    WeakTensor tensor;
    std::string what;                             // "float32 [3, 2]"
    uint64_t number;                              // in the order of first use
    std::map<std::string, int64_t> references{};  // by plugin
    std::string gone{};                           // the call that released the last reference
  };
  Entry& entry(levin_tensor* handle);
  std::string gone(const Entry& entry) const;
  void forget_old();

  std::unordered_map<levin_tensor*, Entry> entries_;
  uint64_t next_number_ = 0;
  size_t most_ = 1 << 16;
};

}  // namespace levin::core
