// An SQLite database that is only read.
#pragma once
#include <string>

#include "../common/csv_file.hpp"

namespace sqlite {

// Runs a query, one SELECT. Returns its rows as texts behind the names of the columns: numbers as SQLite has them, NULL
// as an empty text. The records are numbered from 1. name: of the query, for messages and places: "set.db:query:7".
// leave_out_damaged: a row with a BLOB or a text that is not UTF-8 is left out instead of an error. Throws levin::Error
// if the file is no database, if the query fails, would write, or returns no row, or if the rows do not fit into
// memory.
common::CsvFile read_query(const std::string& path, const std::string& sql, const std::string& name,
                           bool leave_out_damaged);

}  // namespace sqlite
