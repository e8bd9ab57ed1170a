// Finds the inputs and the target among the columns of a CSV file, and whether they hold numbers or categories.
#pragma once
#include <string>
#include <vector>

#include "../csv_file.hpp"
#include "values.hpp"

namespace tables {

enum class Task { classification, regression };

struct ColumnType {
  std::string name;
  bool category = false;
  bool numeric = true;  // every value is a number, even if the column is a category
};
struct ColumnTypes {
  std::vector<ColumnType> inputs;
  ColumnType target;
  std::vector<std::string> unnamed;  // indices of columns that are left out because of an empty header
  bool header_of_numbers = false;    // the header may be a row of data
  Task task = Task::classification;
};

struct TypeOptions {
  bool header;
  std::string target, task;  // task: auto, classification or regression
  std::string ignore, categories;
  std::string group;              // "" = none
  bool leave_out_damaged;         // a text in a column of numbers damages its row, instead of an error
  std::string one_column_advice;  // what to do if the table has one column
};

// Throws levin::Error if the options do not fit the file.
ColumnTypes column_types(const common::CsvFile& file, const TypeOptions& options, const MissingTexts& missing);

}  // namespace tables
