// The tokens of one file or folder.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace text {

struct Tokens {
  std::vector<int32_t> ids;
  std::vector<uint64_t> begins = {0};  // of each text in ids, and the end of the last
  std::vector<int64_t> labels;         // -100 = unknown
  std::vector<std::string> places, groups;
  std::vector<uint32_t> numbers;  // of the rows of a table, from 0; none for files

  uint64_t checksum() const {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);  // FNV-1a
    for (const int32_t id : ids) sum = (sum ^ static_cast<uint32_t>(id)) * UINT64_C(0x100000001b3);
    return sum;
  }
};

}  // namespace text
