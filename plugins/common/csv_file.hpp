// Reads CSV files as RFC 4180 describes them, with any delimiter and any line ends.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "levin/error.hpp"

namespace common {

// A file cut into cells. Every record has as many as the first.
struct CsvFile {
  std::string path;
  size_t columns = 0;
  std::vector<std::string_view> cells;  // row-major; they point into buffer, where quotes are taken away
  std::vector<uint32_t> lines;          // the line in which each record begins, from 1
  std::vector<char> buffer;

  size_t records() const { return lines.size(); }
  std::string_view cell(size_t record, size_t column) const { return cells[record * columns + column]; }
  std::string place(size_t record) const { return path + ":" + std::to_string(lines[record]); }
};

// The delimiter is one character; 0: the one of , ; tab | that is most often in the first line. Lines without any
// character count for nothing. Throws levin::Error for a file that cannot be read, is not text in UTF-8, or has a
// record of another length, and names the line.
CsvFile read_csv(const std::string& path, char delimiter);

// What users write for a delimiter: one character, or one of the words comma, semicolon, tab, space, auto (0).
char delimiter_of(const std::string& text);

}  // namespace common
