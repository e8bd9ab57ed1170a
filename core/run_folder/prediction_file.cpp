#include "core/run_folder/prediction_file.hpp"

#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cstdio>
#include <tuple>
#include <utility>

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

// The predictions of all batches, by name.
struct Whole {
  std::vector<std::string> order;  // of the names, as they were first seen
  std::map<std::string, at::Tensor> tensors;
  std::vector<int64_t> sample_ids;
  std::vector<std::string> names;
};

template <class T>
void arrange(std::vector<T>& values, const std::vector<int64_t>& order) {
  if (values.size() != order.size()) return;
  std::vector<T> arranged;
  for (const int64_t i : order) arranged.push_back(std::move(values[static_cast<size_t>(i)]));
  values = std::move(arranged);
}

// order: of the rows; empty: as they are. What is not one value a row stays in the order of batches.
Whole whole_of(const std::vector<PredictedBatch>& batches, const std::vector<int64_t>& order) {
  Whole whole;
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

// A column of predictions.csv.
struct Column {
  std::string header;
  at::Tensor numbers;                               // contiguous, of type kLong or kDouble
  const std::vector<std::string>* names = nullptr;  // which the numbers stand for
};

std::string cell(const Column& column, int64_t row) {
  if (column.numbers.scalar_type() == at::kDouble) return number(column.numbers.data_ptr<double>()[row]);
  const int64_t value = column.numbers.data_ptr<int64_t>()[row];
  return column.names ? csv_cell((*column.names)[static_cast<size_t>(value)]) : std::to_string(value);
}

bool are_indices(const at::Tensor& numbers, size_t size) {
  return numbers.scalar_type() == at::kLong && numbers.numel() > 0 && numbers.min().item().toLong() >= 0 &&
         numbers.max().item().toLong() < static_cast<int64_t>(size);
}

// "0", "1", ... name nothing.
bool say_more_than_numbers(const std::vector<std::string>& names) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] != std::to_string(i)) return true;
  return false;
}

// The rows of predictions.csv: with ids, those that are predicted, else those of the tensors, which then have equally
// many.
struct Table {
  int64_t rows = 0;
  bool ids = false, named = false;
  std::vector<Column> columns;
  std::vector<std::string> left_out;  // of the tensors

  bool worth_writing() const { return rows > 0 && (named || !columns.empty()); }
};

void add_columns(Table& table, const std::string& name, const at::Tensor& tensor) {
  const bool whole = at::isIntegralType(tensor.scalar_type(), /*includeBool=*/true);
  const at::Tensor flat = tensor.reshape({table.rows, -1}).to(whole ? at::kLong : at::kDouble);
  for (int64_t c = 0; c < flat.size(1); ++c)
    table.columns.push_back({name + (flat.size(1) > 1 ? "_" + std::to_string(c) : ""), flat.select(1, c).contiguous()});
}

// The names of the classes beside their numbers.
void add_class_names(Table& table, const std::vector<std::string>& names) {
  if (table.columns.size() != 1 || !say_more_than_numbers(names)) return;
  const Column classes = table.columns[0];
  if (are_indices(classes.numbers, names.size()))
    table.columns.push_back({classes.header + "_name", classes.numbers, &names});
}

Table table_of(const Whole& whole, const std::vector<std::string>& class_names) {
  Table table;
  table.ids = !whole.sample_ids.empty();
  table.named = table.ids && whole.names.size() == whole.sample_ids.size();
  const auto rows_of = [&](const std::string& name) { return whole.tensors.at(name).size(0); };
  table.rows = table.ids ? static_cast<int64_t>(whole.sample_ids.size()) : rows_of(whole.order.front());
  int64_t numbers = 0;
  for (const std::string& name : whole.order) {
    numbers += whole.tensors.at(name).numel();
    if (!table.ids && rows_of(name) != table.rows) table.rows = 0;
  }
  if (table.rows == 0) return table;
  for (const std::string& name : whole.order) {
    const at::Tensor& tensor = whole.tensors.at(name);
    const bool one_number = tensor.numel() == table.rows;
    if (rows_of(name) == table.rows && (one_number || numbers <= most_csv_numbers))
      add_columns(table, name, tensor);
    else
      table.left_out.push_back(name);
    if (name == whole.order.front()) add_class_names(table, class_names);  // the first tensor is the prediction
  }
  return table;
}

std::string csv(const Whole& whole, const Table& table) {
  std::string header = !table.ids ? "" : table.named ? "sample,name" : "sample";
  for (const Column& column : table.columns) header += (header.empty() ? "" : ",") + csv_cell(column.header);
  std::string out = header + "\n";
  for (int64_t row = 0; row < table.rows; ++row) {
    std::string line = table.ids ? std::to_string(whole.sample_ids[static_cast<size_t>(row)]) : "";
    if (table.named) line += "," + csv_cell(whole.names[static_cast<size_t>(row)]);
    for (const Column& column : table.columns) line += (line.empty() ? "" : ",") + cell(column, row);
    out += line + "\n";
  }
  return out;
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
  // Of rows: their loader, their place among those of the loader in their process, that process, their place in the
  // batch, and where they are. The batches of a stream are whole, so it is the batch that has a place.
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
  const Whole whole = whole_of(batches_, order_);
  for (const std::string& name : whole.order) file.put(name, whole.tensors.at(name));
  if (!whole.sample_ids.empty()) file.put("sample", at::tensor(whole.sample_ids));
  WrittenPredictions written{{folder + "/predictions.safetensors"}, {}};
  file.write(written.files.front());
  const Table table = table_of(whole, class_names);
  if (!table.worth_writing()) return written;
  written.files.push_back(folder + "/predictions.csv");
  write_file_durable(written.files.back(), csv(whole, table));
  written.left_out = table.left_out;
  return written;
}

}  // namespace levin::core
