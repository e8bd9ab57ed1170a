// Columns of a CSV file by the names that users give.
#pragma once
#include <string>
#include <vector>

#include "csv_file.hpp"

namespace common {

// The names of the columns: the first record's cells, which may not repeat, or "0", "1" ... without a header. A column
// whose header is empty has the name "".
std::vector<std::string> column_names(const CsvFile& file, bool header);

// The column that `wanted` names, or whose index it is; -1 is the last one. `option` is where the user said so.
// Throws levin::Error that lists the columns.
size_t find_column(const std::vector<std::string>& names, const std::string& wanted, const std::string& option,
                   const std::string& path);

// The parts of "a, b, c" without blanks around them; {} for "". A part in double quotes may have commas.
std::vector<std::string> list_of(const std::string& text);

}  // namespace common
