#include "inference/example_inputs.hpp"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/abi/tensor_handle.hpp"

namespace levin::core {
namespace {

at::Tensor example_of(const FieldInfo& field, const ExampleBatch& batch) {
  std::vector<int64_t> shape = {batch.rows};
  for (const int64_t size : field.shape) shape.push_back(size < 0 ? batch.length : size);
  const at::ScalarType type = scalar_type(field.dtype);
  if (at::isFloatingType(type))
    return (batch.signs ? at::randn(shape, at::kFloat) * 3 : at::rand(shape, at::kFloat)).to(type);
  // Bytes without classes are pixels. Other integers may have any meaning, such as indices into a small table.
  const int64_t pixels = 256, small = 2, end = type == at::kByte ? pixels : small;
  return at::randint(field.classes > 0 ? field.classes : end, shape, at::kLong).to(type);
}

}  // namespace

bool has_lengths(const std::vector<FieldInfo>& fields) {
  return std::any_of(fields.begin(), fields.end(),
                     [](const FieldInfo& f) { return f.role == LEVIN_ROLE_INPUT && f.ragged(); });
}

std::vector<at::Tensor> example_inputs(const std::vector<FieldInfo>& fields, const ExampleBatch& batch) {
  std::vector<at::Tensor> out;
  for (const FieldInfo& field : fields)
    if (field.role == LEVIN_ROLE_INPUT) out.push_back(example_of(field, batch));
  return out;
}

}  // namespace levin::core
