#include "fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "levin/error.hpp"
#include "values.hpp"

namespace tables {
namespace {

std::vector<double> values_of(const Column& column, const std::vector<uint32_t>& rows) {
  std::vector<double> values;
  for (const uint32_t row : rows)
    if (!std::isnan(column.values[row])) values.push_back(column.values[row]);
  return values;
}

// Returns the differences from the first value, which are exact for close values. A double cannot hold the sum or the
// squares of large numbers that differ in their last digits.
std::vector<double> differences_of(std::vector<double> values) {
  const double first = values.empty() ? 0 : values[0];
  for (double& value : values) value -= first;
  return values;
}

double mean_of_differences(const std::vector<double>& differences) {
  return std::accumulate(differences.begin(), differences.end(), 0.0) / static_cast<double>(differences.size());
}

double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0 : values[0] + mean_of_differences(differences_of(values));
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double deviation_of(const std::vector<double>& values) {
  const std::vector<double> differences = differences_of(values);
  const double mean = mean_of_differences(differences);
  double squares = 0;
  for (const double d : differences) squares += (d - mean) * (d - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

void normalize(ColumnStatistics& column, const std::vector<double>& values, const std::string& way) {
  if (values.empty() || way == "none") return;
  if (way == "standard") {
    column.shift = mean_of(values);
    column.scale = deviation_of(values);
  } else {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    column.shift = *least;
    column.scale = *most - *least;
  }
  if (column.scale == 0) column.scale = 1;  // a constant column becomes 0
}

// Returns the texts that occur in the rows, sorted as numbers if all are numbers, else by bytes.
std::vector<std::string> categories_in(const Column& column, const std::vector<uint32_t>& rows) {
  std::vector<bool> seen(column.texts.size());
  for (const uint32_t row : rows)
    if (!std::isnan(column.values[row])) seen[static_cast<size_t>(column.values[row])] = true;
  std::vector<std::string> texts;
  for (size_t i = 0; i < seen.size(); ++i)
    if (seen[i]) texts.push_back(column.texts[i]);
  std::sort(texts.begin(), texts.end(), [&](const std::string& a, const std::string& b) {
    if (!column.type.numeric) return a < b;
    const double first = number_in(a).value_or(0), second = number_in(b).value_or(0);
    return first != second ? first < second : a < b;
  });
  return texts;
}

ColumnStatistics fit_input(const Column& column, const std::vector<uint32_t>& train, const std::vector<uint32_t>& rows,
                           const FitOptions& options) {
  ColumnStatistics out;
  out.name = column.type.name;
  out.kind = column.type.kind;
  if (out.category()) {
    out.categories = categories_in(column, rows);
    if (out.categories.size() > options.max_categories)
      throw levin::Error(LEVIN_E_IO, "column '" + out.name + "' has " + std::to_string(out.categories.size()) +
                                         " different texts, more than --data.max_categories " +
                                         std::to_string(options.max_categories) + ": leave it out by --data.ignore '" +
                                         out.name + "'");
    if (options.own_category) out.categories.emplace_back();
    return out;
  }
  const std::vector<double> values = values_of(column, train);
  out.fill = options.fill_median ? median_of(values) : mean_of(values);
  normalize(out, values, options.normalize);
  return out;
}

ColumnStatistics fit_target(const Column& column, const std::vector<uint32_t>& train, const std::vector<uint32_t>& rows,
                            const FitOptions& options) {
  ColumnStatistics out;
  out.name = column.type.name;
  out.kind = column.type.kind;
  if (!out.category()) {
    if (options.normalize_target) normalize(out, values_of(column, train), "standard");
    return out;
  }
  out.categories = categories_in(column, rows);
  if (out.categories.size() == 1)
    throw levin::Error(LEVIN_E_IO, "the target '" + out.name + "' is '" + out.categories[0] +
                                       "' in every row: there is nothing to tell apart");
  return out;
}

}  // namespace

Statistics fit(const Table& table, const std::vector<uint32_t>& train, const std::vector<uint32_t>& rows,
               const FitOptions& options) {
  Statistics out;
  for (const Column& column : table.inputs()) out.inputs.push_back(fit_input(column, train, rows, options));
  for (const Column& column : table.targets()) out.targets.push_back(fit_target(column, train, rows, options));
  return out;
}

}  // namespace tables
