// The rows of all files of a data module, with numbers for their cells.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "column_types.hpp"

namespace csv_data {

struct Column {
  ColumnType type;
  std::vector<double> values;                 // one for each row: a number, or which of the texts; NaN: missing
  std::vector<std::string> texts;             // of a category, in the order in which they came
  std::vector<std::string> first;             // where each text came first, "iris.csv:7"
  std::map<uint32_t, std::string> too_large;  // the missing values that are numbers, as "1e300", by row
  bool rounded = false;                       // numbers that differ in the file are equal as doubles
};

class Table {
 public:
  // origin: what has these columns, for messages; "": the first file.
  Table(const ColumnTypes& types, bool header, MissingTexts missing, std::string origin = "");

  // Appends the rows of a file, whose columns are found by their names, or without a header by their order. Returns
  // the first of them. Where the target may be absent its values are missing. Throws levin::Error for a column that is
  // not there, and for text where a number has to be.
  uint32_t add(const common::CsvFile& file, bool may_lack_target);

  const std::vector<Column>& inputs() const { return inputs_; }
  const Column& target() const { return target_; }
  uint32_t rows() const { return static_cast<uint32_t>(lines_.size()); }
  std::string place(uint32_t row) const;  // "iris.csv:7"

 private:
  struct Part {
    std::string path;
    uint32_t begin;
  };
  using Known = std::unordered_map<std::string, uint32_t>;

  std::vector<int64_t> find_columns(const common::CsvFile& file, bool may_lack_target) const;
  void add_cells(const common::CsvFile& file, int64_t from, Column& column, Known& known) const;

  const std::string& origin() const { return origin_.empty() ? parts_[0].path : origin_; }

  bool header_;
  std::string origin_;
  MissingTexts missing_;
  std::vector<Column> inputs_;
  Column target_;
  std::vector<Known> known_;  // the texts of each input and of the target
  size_t width_ = 0;          // the columns of the origin
  std::vector<uint32_t> lines_;
  std::vector<Part> parts_;
};

}  // namespace csv_data
