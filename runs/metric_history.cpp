#include "runs/metric_history.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "runs/csv_line.hpp"
#include "runs/own_file.hpp"

namespace levin::core {

namespace fs = std::filesystem;

void MetricReader::forget() {
  columns_.clear();
  metrics_.clear();
  scalars_ = values_ = 0;
  changed_ = true;
}

bool MetricReader::update(size_t most) {
  changed_ = false;
  fs::path table;
  for (const char* name : {"metrics.jsonl", "metrics.csv"})
    if (is_own_file(run_, run_ / name)) table = run_ / name;
  if (table_ && (table_->path() != table || table_->is_another())) {
    forget();
    table_.reset();
  }
  if (!table_ && !table.empty()) {
    if (!metrics_.empty()) forget();  // of event files
    table_ = std::make_unique<FollowedFile>(table);
  }
  whole_ = true;
  if (table_) {
    const auto read = table.extension() == ".csv" ? &MetricReader::read_csv_line : &MetricReader::read_json_line;
    whole_ =
        table_->read_on([this, read](const std::string& bytes, uint64_t) { return read_lines(bytes, read); }, most);
  }
  const size_t starts = events_.starts();
  changed_ = events_.update(most) || changed_;
  whole_ = events_.whole() && whole_;
  if (!table_) {
    if (events_.starts() != starts) forget();
    read_scalars();
  }
  return changed_;
}

// Returns the number of bytes of the lines that end.
size_t MetricReader::read_lines(const std::string& text, void (MetricReader::*read)(const std::string&)) {
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    (this->*read)(text.substr(begin, end - begin));
  return begin;
}

void MetricReader::add(const std::string& name, double step, double epoch, double value) {
  if (is_full()) return;
  ++values_;
  MetricHistory& history = metrics_[name];
  if (history.name.empty()) history.name = name;
  history.steps.push_back(step);
  history.epochs.push_back(epoch);
  history.values.push_back(value);
  changed_ = true;
}

void MetricReader::read_csv_line(const std::string& line) {
  const std::vector<std::string> cells = csv_cells(line);
  if (columns_.empty()) {
    columns_ = cells;
    return;
  }
  double step = NAN, epoch = NAN;
  for (size_t i = 0; i < cells.size() && i < columns_.size(); ++i) {
    if (columns_[i] == "step") step = number_in_cell(cells[i]).value_or(NAN);
    if (columns_[i] == "epoch") epoch = number_in_cell(cells[i]).value_or(NAN);
  }
  if (!std::isfinite(step)) return;
  for (size_t i = 0; i < cells.size() && i < columns_.size(); ++i)
    if (const auto value = number_in_cell(cells[i]); value && columns_[i] != "step" && columns_[i] != "epoch")
      add(columns_[i], step, epoch, *value);
}

void MetricReader::read_json_line(const std::string& line) {
  const nlohmann::json one = nlohmann::json::parse(line, nullptr, false);
  if (!one.is_object() || !one.contains("step") || !one["step"].is_number()) return;
  const auto metrics = one.find("metrics");
  if (metrics == one.end() || !metrics->is_object()) return;
  const double epoch = one.contains("epoch") && one["epoch"].is_number() ? one["epoch"].get<double>() : NAN;
  for (const auto& [name, value] : metrics->items()) {
    const auto number = value.is_number()   ? std::optional<double>(value.get<double>())
                        : value.is_string() ? number_in_cell(value.get<std::string>())
                                            : std::nullopt;
    if (number) add(name, one["step"].get<double>(), epoch, *number);
  }
}

void MetricReader::read_scalars() {
  for (const auto& all = events_.scalars(); scalars_ < all.size(); ++scalars_)
    add(all[scalars_].tag, all[scalars_].step, NAN, all[scalars_].value);
}

std::map<std::string, MetricHistory> read_metric_history(const fs::path& run) {
  MetricReader reader(run);
  reader.update();
  return reader.metrics();
}

}  // namespace levin::core
