#include "core/run_folder/prediction_file.hpp"

#include <cstdio>

#include "core/base/file.hpp"
#include "core/checkpoint/checkpoint_file.hpp"

namespace levin::core {
namespace {

constexpr int64_t most_csv_numbers = 1'000'000;

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

// Copies the tensor even if it is on the CPU already, because the model may reuse its memory.
at::Tensor kept(const at::Tensor& tensor) {
  return tensor.detach().to(at::kCPU, tensor.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
}

}  // namespace

void PredictionFile::add(const std::vector<NamedTensor>& tensors, const Batch& batch, size_t loader,
                         const std::vector<std::string>& names) {
  if (tensors.empty()) return;
  if (first_.size() <= loader) first_.resize(loader + 1);
  for (const NamedTensor& t : tensors) {
    const at::Tensor value = kept(t.tensor);
    if (&t == &tensors.front()) first_[loader].push_back(value);
    auto& parts = parts_[t.name];
    if (parts.empty()) order_.push_back(t.name);
    parts.push_back(value.dim() == 0 ? value.reshape({1}) : value);
  }
  sample_ids_.insert(sample_ids_.end(), batch.sample_ids.begin(), batch.sample_ids.end());
  names_.insert(names_.end(), names.begin(), names.end());
}

std::string PredictionFile::csv(const std::map<std::string, at::Tensor>& whole) const {
  const bool named = !names_.empty() && names_.size() == sample_ids_.size();
  std::string header = sample_ids_.empty() ? "" : named ? "sample,name" : "sample";
  std::vector<at::Tensor> columns;
  for (const std::string& name : order_) {
    const at::Tensor flat = whole.at(name).reshape({whole.at(name).size(0), -1}).to(at::kDouble);
    for (int64_t c = 0; c < flat.size(1); ++c) {
      header += (header.empty() ? "" : ",") + name + (flat.size(1) > 1 ? "_" + std::to_string(c) : "");
      columns.push_back(flat.select(1, c).contiguous());
    }
  }
  std::string out = header + "\n";
  for (int64_t row = 0; row < columns.front().size(0); ++row) {
    std::string line = sample_ids_.empty() ? "" : std::to_string(sample_ids_[static_cast<size_t>(row)]);
    if (named) line += "," + csv_cell(names_[static_cast<size_t>(row)]);
    for (const at::Tensor& column : columns) line += (line.empty() ? "" : ",") + number(column.data_ptr<double>()[row]);
    out += line + "\n";
  }
  return out;
}

std::vector<std::string> PredictionFile::write(const std::string& folder) const {
  const at::NoGradGuard no_grad;
  if (order_.empty()) return {};
  CheckpointWriter file;
  std::map<std::string, at::Tensor> whole;
  int64_t numbers = 0;
  bool same_rows = true;
  for (const std::string& name : order_) {
    whole[name] = at::cat(parts_.at(name), 0);
    file.put(name, whole[name]);
    numbers += whole[name].numel();
    same_rows = same_rows && whole[name].size(0) == whole[order_.front()].size(0);
  }
  const int64_t rows = whole[order_.front()].size(0);
  const bool ids = static_cast<int64_t>(sample_ids_.size()) == rows;
  if (ids) file.put("sample", at::tensor(sample_ids_));
  std::vector<std::string> written = {folder + "/predictions.safetensors"};
  file.write(written.front());
  if (numbers <= most_csv_numbers && same_rows && (ids || sample_ids_.empty())) {
    written.push_back(folder + "/predictions.csv");
    write_file_durable(written.back(), csv(whole));
  }
  return written;
}

}  // namespace levin::core
