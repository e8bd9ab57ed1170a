// Reads CSV files (RFC 4180) with any delimiter and any line ends.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "levin/error.hpp"

namespace common {

// A file cut into cells, or several files behind each other. All records have the same number of cells.
struct CsvFile {
  struct Next {
    std::string path;
    size_t begin;  // its first record
  };
  std::string path;
  std::vector<Next> next;  // the files behind the first one
  size_t columns = 0;
  std::vector<std::string_view> cells;  // row-major; they point into a buffer, without quotes
  std::vector<uint32_t> lines;          // first line of each record in its file, counted from 1
  std::vector<char> buffer;
  std::vector<std::vector<char>> more_buffers;
  std::vector<std::string> damaged;  // the records that are left out, "iris.csv:7: ..."
  std::vector<size_t> left_out;      // the number of records in front of each of them

  size_t records() const { return lines.size(); }
  std::string_view cell(size_t record, size_t column) const { return cells[record * columns + column]; }
  std::string place(size_t record) const {
    const std::string* of = &path;
    for (const Next& file : next)
      if (record >= file.begin) of = &file.path;
    return *of + ":" + std::to_string(lines[record]);
  }
};

// delimiter: one character; 0 = the most frequent of , ; tab | in the first line. Empty lines are skipped. Throws
// levin::Error that names the line if the file cannot be read, is not UTF-8 text, or has a record of another length.
// skip_damaged: a record that has another length, or text behind a closing quote, is left out instead.
CsvFile read_csv(const std::string& path, char delimiter, bool skip_damaged = false);

// Parses a delimiter option: one character, or one of the words comma, semicolon, tab, space, auto (0).
char delimiter_of(const std::string& text);

}  // namespace common
