// The order of rows in time series.
#pragma once
#include "../split_by.hpp"
#include "column_types.hpp"
#include "window_options.hpp"

namespace tables {

// Returns the texts of a column as keys, which equal numbers share. option: the one that names the column.
common::RowKeys keys_in(const common::CsvFile& file, bool header, const std::string& column, const std::string& option);

// Orders the rows of a table by their series and their time.
class Timeline {
 public:
  // Appends the rows of a file; they never follow those of the file before. In the order of the file, a record that is
  // left out and the end of one of several files are gaps. Throws levin::Error for a row without a time, and if two
  // rows of a series have the same time.
  void add(const common::CsvFile& file, bool header, const WindowShape& columns, double max_gap);

  // Sorts rows by series, then by time.
  std::vector<uint32_t> sorted(std::vector<uint32_t> rows) const;
  // Returns true if `next` is the next row of the series, without a gap.
  bool follows(uint32_t row, uint32_t next) const;
  uint32_t series(uint32_t row) const { return at_[row].series; }
  double time(uint32_t row) const { return at_[row].time; }
  size_t gaps() const { return gaps_; }
  double max_gap() const { return max_gap_; }  // of the file added last; 0 = no limit

 private:
  struct Place {
    uint32_t series;
    double time;  // or the number of rows of the series in front
    uint32_t rank = 0;
    bool after_gap = true;  // also true for the first row of a series
  };
  void rank(size_t begin, double max_gap, const common::CsvFile& file, bool header, const WindowShape& columns);
  std::vector<Place> at_;  // by row
  size_t gaps_ = 0;
  double max_gap_ = 0;
};

}  // namespace tables
