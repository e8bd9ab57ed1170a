// The rows of all files, split into rows for training, validation, test and prediction.
#pragma once
#include "levin/data_module.hpp"
#include "statistics.hpp"
#include "table.hpp"
#include "table_options.hpp"
#include "windows.hpp"

namespace tables {

class Rows {
 public:
  // Keeps references to the arguments. Throws levin::Error if the files do not fit together.
  Rows(const Options& options, const Source& source);
  // Reads the rows of one split from a file with the columns of a checkpoint.
  Rows(const Options& options, const Source& source, const Statistics& trained, levin::Split split,
       const std::string& path);

  const ColumnTypes& types() const { return types_; }
  const Table& table() const { return table_; }
  const std::vector<uint32_t>& known() const { return known_; }  // the usable rows of the first file
  const std::vector<uint32_t>& of(levin::Split split) const { return splits_[static_cast<size_t>(split)]; }
  // The windows of a split; without windows, each row alone.
  const Windows& windows(levin::Split split) const { return windows_[static_cast<size_t>(split)]; }
  const Timeline& timeline() const { return timeline_; }
  int64_t in_first_file() const { return in_first_file_; }
  uint64_t checksum() const { return checksum_; }  // of the first file
  const std::vector<std::string>& remarks() const {
    return remarks_;
  }  // messages for the user about rows that are left out

 private:
  Rows(const common::CsvFile& first, const Options& options, const Source& source);
  void add(const common::CsvFile& file, bool predict);
  std::vector<uint32_t> usable(const std::string& path, uint32_t begin, bool predict);
  std::vector<uint32_t> rows_in(const std::string& path, bool predict);
  void count_damaged(const common::CsvFile& file, uint32_t begin);
  void report_damaged();  // throws levin::Error unless the options skip damaged rows
  common::SplitRows split() const;
  common::SplitRows split_in_order() const;
  [[noreturn]] void refuse_one_time(uint32_t row) const;
  void make_windows();
  common::RowKeys classes() const;  // of the usable rows of the first file

  const Options& options_;
  const Source& source_;
  ColumnTypes types_;
  Table table_;
  WindowShape shape_;
  Timeline timeline_;  // of all rows, if there are windows
  int64_t in_first_file_;
  uint64_t checksum_;
  common::RowKeys groups_;  // of all rows of the first file, if the split has groups
  std::vector<uint32_t> known_, splits_[LEVIN_SPLITS];
  Windows windows_[LEVIN_SPLITS];
  common::DamagedRows damaged_;
  std::vector<std::string> remarks_;
};

// Returns what Rows::checksum() returns, of a table.
uint64_t checksum_of(const common::CsvFile& file);

}  // namespace tables
