#include "core/data/source/guarded_rows.hpp"

#include <algorithm>

namespace levin::core {
namespace {

// Returns a size that also catches writes to a nearby row by mistake.
size_t guard_bytes(size_t row) { return std::clamp<size_t>(64 * row, 1 << 12, 1 << 20) & ~size_t{63}; }

std::string bytes_text(std::ptrdiff_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

}  // namespace

size_t row_bytes(const FieldInfo& field) {
  size_t n = field.dtype.bits / 8u;
  for (const int64_t d : field.shape) n *= static_cast<size_t>(d);
  return n;
}

GuardedRows::GuardedRows(const FieldInfo& field, int64_t rows, unsigned char pattern)
    : field_(field),
      pattern_(pattern),
      size_(row_bytes(field) * static_cast<size_t>(rows)),
      guard_(guard_bytes(row_bytes(field))),
      bytes_(size_ + 2 * guard_, pattern),
      shape_{rows} {
  shape_.insert(shape_.end(), field.shape.begin(), field.shape.end());
}

levin_view GuardedRows::view() {
  levin_view v{};
  v.data = bytes_.data() + guard_;
  v.device = {LEVIN_CPU, 0};
  v.ndim = static_cast<int32_t>(shape_.size());
  v.dtype = field_.dtype;
  v.shape = shape_.data();
  return v;
}

std::string GuardedRows::fault() const {
  const auto changed = [this](unsigned char c) { return c != pattern_; };
  const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(guard_),
             end = begin + static_cast<std::ptrdiff_t>(size_);
  const auto last = std::find_if(bytes_.rbegin(), std::make_reverse_iterator(end), changed);
  if (last.base() != end) return bytes_text(last.base() - end) + " past its end";
  const auto first = std::find_if(bytes_.begin(), begin, changed);
  return first == begin ? "" : bytes_text(begin - first) + " before its beginning";
}

}  // namespace levin::core
