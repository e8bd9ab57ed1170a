// Fields of float32 that move to the device as bytes, a quarter of their size, and become numbers there.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "core/components/data_module.hpp"

namespace levin::core {

// number = byte * scale + shift. By field; undefined tensors for a field that is not made of bytes. Float32 on the CPU,
// in a shape that broadcasts over a batch: [channels, 1, ...].
struct ByteScales {
  std::vector<at::Tensor> scale, shift;
};

// Returns nullptr if the data module writes none of these fields as bytes. Throws Error{plugin} for scales that do not
// fit the fields.
std::shared_ptr<const ByteScales> byte_scales_of(const DataModule& data, const std::vector<FieldInfo>& fields);

// Returns the description with uint8 as the type of the fields that have a scale. scales may be nullptr.
SplitInfo with_bytes(SplitInfo info, const ByteScales* scales);

// Replaces bytes by their numbers. Keeps a copy of the scales on the device.
class ByteNumbers {
 public:
  // tensors: of one batch, one per field, all on one device.
  void make(std::vector<at::Tensor>& tensors, const std::shared_ptr<const ByteScales>& scales);

 private:
  std::shared_ptr<const ByteScales> of_;  // of which on_device_ is a copy
  ByteScales on_device_;
};

}  // namespace levin::core
