// Finds the inputs and the targets among the columns of a table, and what they hold.
#pragma once
#include <string>
#include <vector>

#include "../csv_file.hpp"
#include "values.hpp"

namespace tables {

enum class Task { classification, regression };
enum class Kind { number, category, date };

struct ColumnType {
  std::string name;
  Kind kind = Kind::number;
  bool numeric = true;  // every value is a number, even if the column is a category
  bool category() const { return kind == Kind::category; }
};
struct ColumnTypes {
  std::vector<ColumnType> inputs;
  std::vector<ColumnType> targets;   // at least one; several are numbers
  std::vector<std::string> unnamed;  // indices of columns that are left out because of an empty header
  bool header_of_numbers = false;    // the header may be a row of data
  Task task = Task::classification;
};

struct TypeOptions {
  bool header;
  std::string target, task;                        // task: auto, classification or regression
  std::string ignore, numbers, categories, dates;  // lists of columns and patterns
  std::string group, series, time;                 // columns that are no inputs; "" = none
  bool targets_are_inputs;                         // the past of a target is an input, unless ignore names it
  bool leave_out_damaged;                          // a text in a column of numbers damages its row, instead of an error
  std::string one_column_advice;                   // what to do if the table has one column
};

// Throws levin::Error if the options do not fit the file.
ColumnTypes column_types(const common::CsvFile& file, const TypeOptions& options, const MissingTexts& missing);

}  // namespace tables
