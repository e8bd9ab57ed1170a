#include "core/run_folder/prediction_file.hpp"

#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/base/file.hpp"
#include "core/checkpoint/checkpoint_file.hpp"

namespace levin::core {
namespace {

// Copies the tensor even if it is on the CPU already, because the model may reuse its memory.
at::Tensor kept(const at::Tensor& tensor) {
  return tensor.detach().to(at::kCPU, tensor.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
}

template <class T>
void arrange(std::vector<T>& values, const std::vector<int64_t>& order) {
  if (values.size() != order.size()) return;
  std::vector<T> arranged;
  for (const int64_t i : order) arranged.push_back(std::move(values[static_cast<size_t>(i)]));
  values = std::move(arranged);
}

// order: of the rows; empty = unchanged. Tensors without one value per row stay in the order of batches.
Predictions whole_of(const std::vector<PredictedBatch>& batches, const std::vector<int64_t>& order) {
  Predictions whole;
  std::map<std::string, std::vector<at::Tensor>> parts;
  for (const PredictedBatch& batch : batches) {
    for (const NamedTensor& t : batch.tensors) {
      if (parts[t.name].empty()) whole.order.push_back(t.name);
      parts[t.name].push_back(t.tensor);
    }
    whole.sample_ids.insert(whole.sample_ids.end(), batch.sample_ids.begin(), batch.sample_ids.end());
    whole.names.insert(whole.names.end(), batch.names.begin(), batch.names.end());
  }
  const auto rows = static_cast<int64_t>(order.size());
  for (auto& [name, tensors] : parts) {
    const at::Tensor all = at::cat(tensors, 0);
    whole.tensors[name] = rows > 0 && all.size(0) == rows ? all.index_select(0, at::tensor(order)) : all;
    tensors.clear();
  }
  if (rows > 0) arrange(whole.sample_ids, order), arrange(whole.names, order);
  return whole;
}

}  // namespace

void PredictionFile::add(const std::vector<NamedTensor>& tensors, const Batch& batch, size_t loader,
                         const std::vector<std::string>& names) {
  if (seen_.size() <= loader) seen_.resize(loader + 1);
  const Seen before = seen_[loader];
  seen_[loader] = {before.batches + 1, before.rows + batch.rows()};
  if (tensors.empty()) return;
  if (first_.size() <= loader) first_.resize(loader + 1);
  PredictedBatch one;
  one.loader = static_cast<int64_t>(loader);
  one.number = before.batches;
  one.first_row = before.rows;
  one.rows = batch.rows();
  one.sample_ids = batch.sample_ids;
  one.names = names;
  for (const NamedTensor& t : tensors) {
    const at::Tensor value = kept(t.tensor);
    if (&t == &tensors.front()) first_[loader].push_back(value);
    one.tensors.push_back({t.name, value.dim() == 0 ? value.reshape({1}) : value});
  }
  batches_.push_back(std::move(one));
}

void PredictionFile::put_in_order(bool in_turns) {
  const auto place = [in_turns](const PredictedBatch& b) {
    return in_turns ? std::tuple(b.loader, b.number, int64_t{b.rank}) : std::tuple(b.loader, int64_t{b.rank}, b.number);
  };
  std::stable_sort(batches_.begin(), batches_.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  order_.clear();
  const auto has_places = [](const PredictedBatch& b) { return !b.sample_ids.empty(); };
  if (!in_turns || std::none_of(batches_.begin(), batches_.end(), has_places)) return;
  // Sort keys of rows: loader, index among the loader's rows in the process, rank, index in the batch, and current
  // index. Batches of a stream stay whole, so the batch's index is used for their rows.
  std::vector<std::tuple<int64_t, int64_t, int, int64_t, int64_t>> rows;
  for (const PredictedBatch& b : batches_)
    for (int64_t i = 0; i < b.rows; ++i)
      rows.emplace_back(b.loader, b.sample_ids.empty() ? b.number : b.first_row + i, b.rank, i,
                        static_cast<int64_t>(rows.size()));
  std::sort(rows.begin(), rows.end());
  for (const auto& row : rows) order_.push_back(std::get<4>(row));
}

WrittenPredictions PredictionFile::write(const std::string& folder, const std::vector<std::string>& class_names) const {
  const at::NoGradGuard no_grad;
  if (batches_.empty()) return {};
  CheckpointWriter file;
  const Predictions whole = whole_of(batches_, order_);
  for (const std::string& name : whole.order) file.put(name, whole.tensors.at(name));
  if (!whole.sample_ids.empty()) file.put("sample", at::tensor(whole.sample_ids));
  WrittenPredictions written{{folder + "/predictions.safetensors"}, {}};
  file.write(written.files.front());
  PredictionTable table = prediction_table(whole, class_names);
  if (table.text.empty()) return written;
  written.files.push_back(folder + "/predictions.csv");
  write_file_durable(written.files.back(), table.text);
  written.left_out = std::move(table.left_out);
  return written;
}

}  // namespace levin::core
