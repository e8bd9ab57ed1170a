#include "timeline.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "../csv_columns.hpp"
#include "times.hpp"

namespace tables {
namespace {

constexpr double usual_gap = 1.5;  // times the median

size_t column_of(const common::CsvFile& file, bool header, const std::string& name, const char* option) {
  return common::find_column(common::column_names(file, header), name, option, file.path);
}

// Returns the times of the rows, or their numbers within their series, where each gap counts as a row.
std::vector<double> times_of(const common::CsvFile& file, bool header, const std::string& time,
                             const std::vector<uint32_t>& series) {
  const size_t first = header ? 1 : 0;
  std::vector<double> times;
  if (!time.empty()) {
    const size_t column = column_of(file, header, time, "time");
    for (size_t r = first; r < file.records(); ++r) {
      const std::optional<double> value = time_in(file.cell(r, column));
      if (!value)
        throw levin::Error(LEVIN_E_IO, file.place(r) + ": the column '" + time + "' of --data.time is '" +
                                           std::string(file.cell(r, column).substr(0, 60)) + "', and no " + a_time);
      times.push_back(*value);
    }
    return times;
  }
  std::vector<size_t> breaks = file.left_out;
  for (const common::CsvFile::Next& next : file.next) breaks.push_back(next.begin);
  std::sort(breaks.begin(), breaks.end());
  std::unordered_map<uint32_t, double> counts;
  auto broken = breaks.begin();
  for (size_t r = first; r < file.records(); ++r) {
    while (broken != breaks.end() && *broken <= r) ++broken;
    times.push_back(counts[series[r - first]]++ + static_cast<double>(broken - breaks.begin()));
  }
  return times;
}

double median_step(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

common::RowKeys keys_in(const common::CsvFile& file, bool header, const std::string& column,
                        const std::string& option) {
  common::RowKeys keys;
  const size_t from = column_of(file, header, column, option.c_str());
  std::unordered_map<std::string, uint32_t> known;
  for (size_t r = header ? 1 : 0; r < file.records(); ++r) {
    const std::string_view cell = file.cell(r, from);
    const std::optional<double> number = number_in(cell);
    const std::string text = number ? category_of(cell, *number) : std::string(trimmed(cell));
    if (text.empty())
      throw levin::Error(LEVIN_E_IO,
                         file.place(r) + ": the column '" + column + "' of --data." + option + " has no value");
    const auto [at, is_new] = known.emplace(text, static_cast<uint32_t>(keys.names.size()));
    if (is_new) keys.names.push_back(text);
    keys.of.push_back(at->second);
  }
  return keys;
}

void Timeline::add(const common::CsvFile& file, bool header, const WindowShape& columns, double max_gap) {
  const size_t begin = at_.size(), n = file.records() - (header ? 1 : 0);
  const std::vector<uint32_t> series =
      columns.series.empty() ? std::vector<uint32_t>(n) : keys_in(file, header, columns.series, "series").of;
  const std::vector<double> times = times_of(file, header, columns.time, series);
  for (size_t i = 0; i < n; ++i) at_.push_back({series[i], times[i]});
  rank(begin, columns.time.empty() ? usual_gap : max_gap, file, header, columns);
}

void Timeline::rank(size_t begin, double max_gap, const common::CsvFile& file, bool header,
                    const WindowShape& columns) {
  std::vector<uint32_t> order(at_.size() - begin);
  std::iota(order.begin(), order.end(), static_cast<uint32_t>(begin));
  std::stable_sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) {
    return at_[a].series != at_[b].series ? at_[a].series < at_[b].series : at_[a].time < at_[b].time;
  });
  std::vector<double> steps;
  for (size_t i = 1; i < order.size(); ++i) {
    const Place &before = at_[order[i - 1]], &here = at_[order[i]];
    if (before.series != here.series) continue;
    if (before.time == here.time) {
      const auto place = [&](uint32_t row) { return file.place(row - begin + (header ? 1 : 0)); };
      throw levin::Error(LEVIN_E_IO, place(order[i]) + ": the time is that of " + place(order[i - 1]) +
                                         (columns.series.empty() ? ": name the column of the series by --data.series"
                                                                 : ", in the same series"));
    }
    steps.push_back(here.time - before.time);
  }
  max_gap_ = max_gap < 0 ? usual_gap * median_step(std::move(steps)) : max_gap;
  for (size_t i = 0; i < order.size(); ++i) {
    Place& here = at_[order[i]];
    here.rank = static_cast<uint32_t>(begin + i);
    if (i == 0 || at_[order[i - 1]].series != here.series) continue;
    here.after_gap = max_gap_ > 0 && here.time - at_[order[i - 1]].time > max_gap_;
    gaps_ += here.after_gap;
  }
}

std::vector<uint32_t> Timeline::sorted(std::vector<uint32_t> rows) const {
  std::sort(rows.begin(), rows.end(), [this](uint32_t a, uint32_t b) { return at_[a].rank < at_[b].rank; });
  return rows;
}

bool Timeline::follows(uint32_t row, uint32_t next) const {
  return at_[next].rank == at_[row].rank + 1 && !at_[next].after_gap;
}

}  // namespace tables
