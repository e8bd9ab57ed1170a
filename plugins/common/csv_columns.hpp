// Columns of a CSV file, by name or index.
#pragma once
#include <string>
#include <vector>

#include "csv_file.hpp"

namespace common {

// Returns the column names: the cells of the first record, which must be unique, or "0", "1" ... without a header. A
// column with an empty header has the name "".
std::vector<std::string> column_names(const CsvFile& file, bool header);

// Returns the column with the name or index `wanted`; -1 = the last column. option: the option with this value, for
// messages. Throws levin::Error that lists the columns if there is no such column.
size_t find_column(const std::vector<std::string>& names, const std::string& wanted, const std::string& option,
                   const std::string& path);

// Splits "a, b, c" and trims blanks; "" gives {}. A part in double quotes may contain commas.
std::vector<std::string> list_of(const std::string& text);

}  // namespace common
