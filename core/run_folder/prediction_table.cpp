#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/run_folder/prediction_file.hpp"

namespace levin::core {
namespace {

constexpr int64_t most_csv_numbers = 1'000'000;

std::string decimal(double value) {
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

// A column of predictions.csv.
struct Column {
  std::string header;
  at::Tensor numbers;                               // contiguous, of type kLong or kDouble
  const std::vector<std::string>* names = nullptr;  // text for the numbers; nullptr = none
};

std::string cell(const Column& column, int64_t row) {
  if (column.numbers.scalar_type() == at::kDouble) return decimal(column.numbers.data_ptr<double>()[row]);
  const int64_t value = column.numbers.data_ptr<int64_t>()[row];
  return column.names ? csv_cell((*column.names)[static_cast<size_t>(value)]) : std::to_string(value);
}

bool are_indices(const at::Tensor& numbers, size_t size) {
  return numbers.scalar_type() == at::kLong && numbers.numel() > 0 && numbers.min().item().toLong() >= 0 &&
         numbers.max().item().toLong() < static_cast<int64_t>(size);
}

// Names such as "0", "1", ... add nothing to the numbers.
bool say_more_than_numbers(const std::vector<std::string>& names) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] != std::to_string(i)) return true;
  return false;
}

// The content of predictions.csv: with ids, a row per predicted row, else a row per row of the tensors, which must then
// have equally many.
struct CsvTable {
  int64_t rows = 0;
  bool ids = false, named = false;
  std::vector<Column> columns;
  std::vector<std::string> left_out;  // names of tensors
};

void add_columns(CsvTable& table, const std::string& name, const at::Tensor& tensor) {
  const bool whole = at::isIntegralType(tensor.scalar_type(), /*includeBool=*/true);
  const at::Tensor flat = tensor.reshape({table.rows, -1}).to(whole ? at::kLong : at::kDouble);
  for (int64_t c = 0; c < flat.size(1); ++c)
    table.columns.push_back({name + (flat.size(1) > 1 ? "_" + std::to_string(c) : ""), flat.select(1, c).contiguous()});
}

// Adds a column with the names of the classes beside their numbers.
void add_class_names(CsvTable& table, const std::vector<std::string>& names) {
  if (table.columns.size() != 1 || !say_more_than_numbers(names)) return;
  const Column classes = table.columns[0];
  if (are_indices(classes.numbers, names.size()))
    table.columns.push_back({classes.header + "_name", classes.numbers, &names});
}

CsvTable table_of(const Predictions& whole, const std::vector<std::string>& class_names) {
  CsvTable table;
  table.ids = !whole.sample_ids.empty();
  table.named =
      table.ids && whole.names.size() == whole.sample_ids.size() &&
      std::any_of(whole.names.begin(), whole.names.end(), [](const std::string& name) { return !name.empty(); });
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

std::string csv(const Predictions& whole, const CsvTable& table) {
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

PredictionTable prediction_table(const Predictions& whole, const std::vector<std::string>& class_names) {
  CsvTable table = table_of(whole, class_names);
  if (table.rows == 0 || (!table.named && table.columns.empty())) return {};
  return {csv(whole, table), std::move(table.left_out)};
}

}  // namespace levin::core
