#include "core/strategies/dp/batch_parts.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>

#include <algorithm>
#include <string>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"

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

// The outputs of one name, of each part.
struct OutputParts {
  std::string name;
  std::vector<at::Tensor> tensors;
  std::vector<int64_t> rows;
};

// Returns true if all parts are scalars. A loss of one element counts as a scalar, even in a part of one row.
bool are_numbers(const OutputParts& parts) {
  const bool is_loss = parts.name == "loss";
  return std::all_of(parts.tensors.begin(), parts.tensors.end(),
                     [&](const at::Tensor& t) { return t.dim() == 0 || (is_loss && t.numel() == 1); });
}

[[noreturn]] void refuse_parts(const OutputParts& parts) {
  std::string shapes;
  for (const at::Tensor& t : parts.tensors) shapes += (shapes.empty() ? "" : ", ") + c10::str(t.sizes());
  throw Error(ErrorCode::replicas_differ,
              "the replicas' outputs '" + parts.name + "' have the shapes " + shapes +
                  ", which cannot be concatenated: all dimensions but the first must be equal");
}

at::Tensor concatenated(const OutputParts& parts) {
  const at::Tensor& first = parts.tensors.front();
  const bool fits = std::all_of(parts.tensors.begin(), parts.tensors.end(), [&](const at::Tensor& t) {
    return t.dim() > 0 && first.dim() == t.dim() && t.sizes().slice(1).equals(first.sizes().slice(1));
  });
  if (!fits) refuse_parts(parts);
  return at::cat(parts.tensors);
}

at::Tensor mean_by_rows(const OutputParts& parts) {
  double all = 0;
  for (const int64_t rows : parts.rows) all += static_cast<double>(rows);
  at::Tensor sum;
  for (size_t i = 0; i < parts.tensors.size(); ++i) {
    const at::Tensor& t = parts.tensors[i];
    const bool whole = !t.is_floating_point() && !t.is_complex();
    const at::Tensor term = whole ? t : t * (static_cast<double>(parts.rows[i]) / all);
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

at::Tensor gathered(const OutputParts& parts) {
  if (parts.tensors.size() == 1) return parts.tensors.front();
  return are_numbers(parts) ? mean_by_rows(parts) : concatenated(parts);
}

OutputParts parts_named(const std::string& name, size_t place, const std::vector<const StepOutputs*>& outputs,
                        const std::vector<int64_t>& rows, at::Device device) {
  OutputParts parts{name, {}, rows};
  for (const StepOutputs* each : outputs) {
    const bool fits = place < each->named.size() && each->named[place].name == name;
    if (!fits)
      throw Error(ErrorCode::replicas_differ, "a replica of the model returned '" + name + "', and another did not");
    parts.tensors.push_back(each->named[place].tensor.to(device));
  }
  return parts;
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

StepOutputs gather_outputs(const std::vector<StepOutputs>& parts, const std::vector<int64_t>& rows, at::Device device) {
  std::vector<const StepOutputs*> outputs;
  std::vector<int64_t> rows_of;
  size_t most = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].named.empty()) continue;
    outputs.push_back(&parts[i]);
    rows_of.push_back(rows[i]);
    most = std::max(most, parts[i].named.size());
  }
  StepOutputs out;
  for (size_t place = 0; place < most; ++place) {
    const auto with = std::find_if(outputs.begin(), outputs.end(),
                                   [&](const StepOutputs* each) { return place < each->named.size(); });
    const std::string& name = (*with)->named[place].name;
    out.named.push_back({name, gathered(parts_named(name, place, outputs, rows_of, device))});
    if (name == "loss") out.loss = out.named.back().tensor;
  }
  return out;
}

}  // namespace levin::core
