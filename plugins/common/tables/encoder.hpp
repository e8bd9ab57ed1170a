// Encodes rows of a table as the numbers given to a model.
#pragma once
#include "statistics.hpp"
#include "table.hpp"

namespace tables {

class Encoder {
 public:
  Encoder() = default;
  // Keeps no reference to the arguments.
  Encoder(const Table& table, const Statistics& statistics);

  size_t width() const { return width_; }
  // Writes width() numbers: numbers are shifted and scaled, categories are one-hot, and dates are a number and their
  // place in the day, the week and the year. An unknown category is all zeros.
  void input(const Table& table, uint32_t row, float* out) const;
  // Returns the class of the only target, or the number of one; 0 if it is missing or an unknown class.
  int64_t class_of(const Table& table, uint32_t row) const;
  float number_of(const Table& table, size_t target, uint32_t row) const;

  struct Unknown {
    std::string column, text, where;
  };
  // Returns the texts in these rows that are unknown categories of the inputs, or unknown classes of the target.
  std::vector<Unknown> unknown_inputs(const Table& table, const std::vector<uint32_t>& rows) const;
  std::vector<Unknown> unknown_classes(const Table& table, const std::vector<uint32_t>& rows) const;

 private:
  struct Code {
    Kind kind = Kind::number;
    double shift = 0, scale = 1, fill = 0;
    std::vector<int32_t> place;  // category index of each text; -1 = unknown
    int32_t missing = -1;
    size_t width = 1;
  };
  static Code code_of(const Column& column, const ColumnStatistics& statistics);
  static int32_t place_of(const Code& code, double value);
  static void collect(const Column& column, const Code& code, const std::vector<uint32_t>& rows,
                      std::vector<Unknown>& out);
  std::vector<Code> inputs_, targets_;
  size_t width_ = 0;
};

}  // namespace tables
