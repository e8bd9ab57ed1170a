#include "core/data/source/byte_numbers.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mul.h>

#include <algorithm>
#include <string>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

bool is_float32(const FieldInfo& field) { return field.dtype.code == LEVIN_FLOAT && field.dtype.bits == 32; }

at::Tensor by_channel(const std::vector<float>& numbers, size_t dimensions) {
  std::vector<int64_t> shape(dimensions, 1);
  shape[0] = static_cast<int64_t>(numbers.size());
  return at::from_blob(const_cast<float*>(numbers.data()), shape, at::kFloat).clone();
}

void check_scale(const DataModule& data, const FieldInfo& field, size_t channels) {
  if (is_float32(field) && !field.ragged() && !field.shape.empty() && field.shape[0] == static_cast<int64_t>(channels))
    return;
  throw Error(ErrorCode::plugin_answer_invalid,
              data.plugin() + ": " + data.instance() + ".byte_scale: field '" + field.name + "' got " +
                  std::to_string(channels) +
                  " scales; it has to be of float32, with as many channels as its first dimension");
}

}  // namespace

std::shared_ptr<const ByteScales> byte_scales_of(const DataModule& data, const std::vector<FieldInfo>& fields) {
  auto scales = std::make_shared<ByteScales>();
  bool any = false;
  for (size_t f = 0; f < fields.size(); ++f) {
    scales->scale.emplace_back();
    scales->shift.emplace_back();
    const auto found = data.byte_scale(static_cast<uint32_t>(f));
    if (!found) continue;
    check_scale(data, fields[f], found->scale.size());
    scales->scale.back() = by_channel(found->scale, fields[f].shape.size());
    scales->shift.back() = by_channel(found->shift, fields[f].shape.size());
    any = true;
  }
  if (!any) return nullptr;
  return scales;
}

SplitInfo with_bytes(SplitInfo info, const ByteScales* scales) {
  for (size_t f = 0; scales && f < info.fields.size(); ++f)
    if (scales->scale[f].defined()) info.fields[f].dtype = {LEVIN_UINT, 8, 1};
  return info;
}

void ByteNumbers::make(std::vector<at::Tensor>& tensors, const std::shared_ptr<const ByteScales>& scales) {
  const at::NoGradGuard no_grad;
  if (of_ != scales) {
    on_device_ = *scales;
    for (std::vector<at::Tensor>* copies : {&on_device_.scale, &on_device_.shift})
      for (at::Tensor& t : *copies)
        if (t.defined()) t = t.to(tensors[0].device());
    of_ = scales;
  }
  for (size_t f = 0; f < tensors.size(); ++f)
    if (on_device_.scale[f].defined()) tensors[f] = at::mul(tensors[f], on_device_.scale[f]).add_(on_device_.shift[f]);
}

}  // namespace levin::core
