// Reads JSON files that hold a table.
#pragma once
#include "csv_file.hpp"

namespace common {

bool has_json_ending(const std::string& path);  // .json, .jsonl or .ndjson

// Returns the table with the names of the columns as its first record, of
//   [{"file": "a.png", "label": "cat"}, ...]      a list of objects; the keys of the first one are the columns
//   {"file": "a.png", "label": "cat"}             lines of one object each (JSON lines)
//   {"a.png": "cat", ...}                         one object: the columns are "file" and "label"
// A key that an object lacks, and null, give an empty cell. lines: for JSON lines those of the file, else the number of
// the entry. Throws levin::Error if the file cannot be read, is no JSON, or has another form.
CsvFile read_json_table(const std::string& path);
// The same of a text. lines: it has JSON lines. path: for messages.
CsvFile json_table(const std::string& text, bool lines, const std::string& path);

}  // namespace common
