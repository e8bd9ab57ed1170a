// Several CSV files as one table.
#pragma once
#include "../common/csv_file.hpp"

namespace csv_data {

// Appends the records of another file, whose columns may have another order; they are `from` without its header. Throws
// levin::Error that names the file and the first column in which the two differ.
void append(common::CsvFile& to, common::CsvFile from, bool header);

// Adds a last column with the name of the file, without its folder, in each record. Throws levin::Error if there is a
// column of this name.
void add_file_column(common::CsvFile& file, const std::string& name, bool header);

}  // namespace csv_data
