// The rows of all files, and which of them train, validate, test and are predicted.
#pragma once
#include "levin/data_module.hpp"
#include "options.hpp"
#include "statistics.hpp"
#include "table.hpp"

namespace csv_data {

class Rows {
 public:
  // Keeps a reference to the options. Throws levin::Error for files that do not fit.
  explicit Rows(const Options& options);
  // The rows of one split, of a file with columns that a checkpoint knows.
  Rows(const Options& options, const Statistics& trained, levin::Split split, const std::string& path);

  const ColumnTypes& types() const { return types_; }
  const Table& table() const { return table_; }
  const std::vector<uint32_t>& known() const { return known_; }  // the usable rows of the first file
  const std::vector<uint32_t>& of(levin::Split split) const { return splits_[static_cast<size_t>(split)]; }
  int64_t in_first_file() const { return in_first_file_; }
  uint64_t checksum() const { return checksum_; }                       // of the first file
  const std::vector<std::string>& remarks() const { return remarks_; }  // which rows are left out, for the user

 private:
  Rows(const common::CsvFile& first, const Options& options);
  std::vector<uint32_t> usable(const std::string& path, uint32_t begin, bool predict);
  std::vector<uint32_t> rows_in(const std::string& path, bool predict);
  common::SplitRows split() const;

  const Options& options_;
  ColumnTypes types_;
  Table table_;
  int64_t in_first_file_;
  uint64_t checksum_;
  std::vector<uint32_t> known_, splits_[LEVIN_SPLITS];
  std::vector<std::string> remarks_;
};

// What Rows::checksum would be.
uint64_t checksum_of_file(const Options& options);

}  // namespace csv_data
