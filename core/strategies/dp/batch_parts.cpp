#include "core/strategies/dp/batch_parts.hpp"

#include <algorithm>

#include "core/abi/tensor_handle.hpp"

namespace levin::core {
namespace {

struct Range {
  int64_t begin, rows;
};

Range range_of(int64_t rows, size_t part, size_t parts) {
  const auto all = static_cast<int64_t>(parts), i = static_cast<int64_t>(part);
  const int64_t begin = rows * i / all;
  return {begin, rows * (i + 1) / all - begin};
}

at::Tensor part_of(const at::Tensor& tensor, int64_t rows, const Range& range, at::Device device) {
  const bool batched = tensor.dim() > 0 && tensor.size(0) == rows;
  const at::Tensor part = batched ? tensor.narrow(0, range.begin, range.rows) : tensor;
  return part.device() == device ? part : part.to(device, /*non_blocking=*/true);
}

Batch cut_batch(const levin_batch& whole, const Range& range, at::Device device) {
  Batch out;
  for (uint32_t i = 0; i < whole.n; ++i)
    out.tensors.push_back(part_of(retain(whole.tensors[i]), whole.rows, range, device));
  if (whole.sample_ids)
    out.sample_ids.assign(whole.sample_ids + range.begin, whole.sample_ids + range.begin + range.rows);
  return out;
}

}  // namespace

BatchParts::BatchParts(const levin_step_in& in, const std::vector<at::Device>& devices) : in_(in) {
  batches_.assign(in.batches, in.batches + in.n_batches);
  size_t parts = devices.size();
  for (const levin_batch* batch : batches_)
    if (batch) parts = std::min(parts, static_cast<size_t>(std::max<int64_t>(batch->rows, 1)));
  for (size_t i = 0; i < parts; ++i) {
    parts_.push_back(cut(i, parts, devices[i]));
    rows_.push_back(range_of(in.batch->rows, i, parts).rows);
  }
}

BatchParts::Part BatchParts::cut(size_t part, size_t parts, at::Device device) const {
  Part out;
  out.batches.resize(batches_.size());  // resized once, so that pointers into it stay valid
  out.names.resize(batches_.size());
  for (size_t i = 0; i < batches_.size(); ++i) {
    out.raw.push_back(nullptr);
    if (!batches_[i]) continue;
    const levin_batch& whole = *batches_[i];
    out.batches[i] = cut_batch(whole, range_of(whole.rows, part, parts), device);
    if (whole.names) out.names[i].assign(whole.names, whole.names + whole.n);
    out.batches[i].publish(out.names[i]);
    out.raw.back() = out.batches[i].raw();
    if (batches_[i] == in_.batch || !out.first) out.first = out.raw.back();
  }
  return out;
}

levin_step_in BatchParts::arguments(size_t part) const {
  levin_step_in out = in_;
  out.batch = parts_[part].first;
  out.batches = parts_[part].raw.data();
  return out;
}

}  // namespace levin::core
