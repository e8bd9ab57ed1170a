// Memory for rows of one field between guard bytes, to detect writes past it.
#pragma once
#include <string>
#include <vector>

#include "core/components/split_info.hpp"

namespace levin::core {

size_t row_bytes(const FieldInfo& field);

class GuardedRows {
 public:
  // Fills all of the memory with the pattern. The field must outlive the rows.
  GuardedRows(const FieldInfo& field, int64_t rows, unsigned char pattern = 0x5a);
  // Returns row-major memory for the rows; borrows from this object.
  levin_view view();
  // Returns "" if the guard bytes are unchanged, else "4 bytes past its end" or "4 bytes before its beginning".
  std::string fault() const;
  const unsigned char* data() const { return bytes_.data() + guard_; }
  size_t size() const { return size_; }  // in bytes

 private:
  const FieldInfo& field_;
  unsigned char pattern_;
  size_t size_, guard_;
  std::vector<unsigned char> bytes_;
  std::vector<int64_t> shape_;
};

}  // namespace levin::core
