// The rows of all files of a data module, with their cells as numbers.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "column_types.hpp"

namespace tables {

struct Column {
  ColumnType type;
  std::vector<double> values;      // by row: a number, seconds of a date, or an index into texts; NaN = missing
  std::vector<std::string> texts;  // of a category, in order of occurrence
  std::vector<std::string> first;  // first place of each text, "iris.csv:7"
  std::map<uint32_t, std::string> too_large;  // row -> text of a number that counts as missing, such as "1e300"
  bool rounded = false;                       // different numbers in the file are equal as doubles
};

class Table {
 public:
  // origin: the source of the columns, for messages; "" = the first file. leave_out_damaged: text in a column of
  // numbers damages its row, instead of an error.
  Table(const ColumnTypes& types, bool header, bool leave_out_damaged, MissingTexts missing, std::string origin = "");

  // Appends the rows of a file and returns the index of the first one. Columns are found by name, or by position if
  // there is no header. With may_lack_target an absent target counts as missing values. Throws levin::Error for a
  // missing column, and for text in a column of numbers.
  uint32_t add(const common::CsvFile& file, bool may_lack_target);

  const std::vector<Column>& inputs() const { return inputs_; }
  const std::vector<Column>& targets() const { return targets_; }
  uint32_t rows() const { return static_cast<uint32_t>(lines_.size()); }
  const std::map<uint32_t, std::string>& damaged() const { return damaged_; }  // row -> reason
  std::string place(uint32_t row) const;                                       // "iris.csv:7"

 private:
  struct Part {
    std::string path;
    uint32_t begin;
  };
  using Known = std::unordered_map<std::string, uint32_t>;

  bool lacks_target(const common::CsvFile& file) const;
  std::vector<int64_t> find_columns(const common::CsvFile& file, bool may_lack_target) const;
  void add_cells(const common::CsvFile& file, int64_t from, Column& column, Known& known);

  const std::string& origin() const { return origin_.empty() ? parts_[0].path : origin_; }

  bool header_, leave_out_damaged_;
  std::string origin_;
  MissingTexts missing_;
  std::vector<Column> inputs_;
  std::vector<Column> targets_;
  std::vector<Known> known_;  // text -> index, for each input and target
  size_t width_ = 0;          // number of columns of the origin
  std::vector<uint32_t> lines_;
  std::vector<Part> parts_;
  std::map<uint32_t, std::string> damaged_;
};

}  // namespace tables
