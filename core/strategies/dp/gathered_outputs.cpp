#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>

#include <algorithm>
#include <string>

#include "core/base/error.hpp"
#include "core/strategies/dp/batch_parts.hpp"

namespace levin::core {
namespace {

struct Parts {
  std::string name;
  std::vector<at::Tensor> tensors;
  std::vector<int64_t> rows;
};

template <class Test>
bool all_tensors(const Parts& parts, const Test& test) {
  for (size_t i = 0; i < parts.tensors.size(); ++i)
    if (!test(parts.tensors[i], parts.rows[i])) return false;
  return true;
}

// Returns true if all parts are scalars. A loss of one element counts as a scalar, even in a part of one row.
bool are_numbers(const Parts& parts) {
  const bool is_loss = parts.name == "loss";
  return all_tensors(parts, [&](const at::Tensor& t, int64_t) { return t.dim() == 0 || (is_loss && t.numel() == 1); });
}

[[noreturn]] void refuse_parts(const Parts& parts) {
  std::string shapes;
  for (const at::Tensor& t : parts.tensors) shapes += (shapes.empty() ? "" : ", ") + c10::str(t.sizes());
  throw Error(ErrorKind::run, "the replicas' outputs '" + parts.name + "' have the shapes " + shapes +
                                  ", which cannot be concatenated: all dimensions but the first must be equal");
}

at::Tensor behind_each_other(const Parts& parts) {
  const at::Tensor& first = parts.tensors.front();
  const bool fits = all_tensors(parts, [&](const at::Tensor& t, int64_t) {
    return t.dim() > 0 && first.dim() == t.dim() && t.sizes().slice(1).equals(first.sizes().slice(1));
  });
  if (!fits) refuse_parts(parts);
  return at::cat(parts.tensors);
}

at::Tensor mean_by_rows(const Parts& parts) {
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

at::Tensor gathered(const Parts& parts) {
  if (parts.tensors.size() == 1) return parts.tensors.front();
  return are_numbers(parts) ? mean_by_rows(parts) : behind_each_other(parts);
}

Parts parts_named(const std::string& name, size_t place, const std::vector<const StepOutputs*>& outputs,
                  const std::vector<int64_t>& rows, at::Device device) {
  Parts parts{name, {}, rows};
  for (const StepOutputs* each : outputs) {
    const bool fits = place < each->named.size() && each->named[place].name == name;
    if (!fits) throw Error(ErrorKind::run, "a replica of the model returned '" + name + "', and another did not");
    parts.tensors.push_back(each->named[place].tensor.to(device));
  }
  return parts;
}

}  // namespace

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
