#include "host/engine/check/rules/data_calls.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

constexpr int64_t most_rows = 24;  // rows to check in each split
constexpr size_t guard_bytes = 256;

// Memory for rows of one field, with guard bytes before and after it. All of it is first filled with a pattern.
class GuardedBuffer {
 public:
  GuardedBuffer(const FieldInfo& field, int64_t rows, unsigned char pattern)
      : pattern_(pattern),
        size_(row_bytes(field) * static_cast<size_t>(rows)),
        bytes_(size_ + 2 * guard_bytes, pattern) {
    shape_ = {rows};
    shape_.insert(shape_.end(), field.shape.begin(), field.shape.end());
    dtype_ = field.dtype;
  }
  levin_view view() {
    levin_view v{};
    v.data = bytes_.data() + guard_bytes;
    v.device = {LEVIN_CPU, 0};
    v.ndim = static_cast<int32_t>(shape_.size());
    v.dtype = dtype_;
    v.shape = shape_.data();
    return v;
  }
  bool intact() const {
    const auto same = [&](unsigned char c) { return c == pattern_; };
    return std::all_of(bytes_.begin(), bytes_.begin() + guard_bytes, same) &&
           std::all_of(bytes_.end() - guard_bytes, bytes_.end(), same);
  }
  std::string row(int64_t i) const {
    const size_t n = size_ / static_cast<size_t>(shape_[0]);
    return std::string(reinterpret_cast<const char*>(bytes_.data()) + guard_bytes + n * static_cast<size_t>(i), n);
  }

 private:
  unsigned char pattern_;
  size_t size_;
  std::vector<unsigned char> bytes_;
  std::vector<int64_t> shape_;
  levin_dtype dtype_{};
};

}  // namespace

size_t row_bytes(const FieldInfo& field) {
  size_t n = field.dtype.bits / 8u;
  for (const int64_t d : field.shape) n *= static_cast<size_t>(d);
  return n;
}

std::string Place::name() const {
  return std::string(split_name(split)) + (loader ? "[" + std::to_string(loader) + "]" : "");
}

Rows fill(const DataModule& data, const Place& place, const std::vector<int64_t>& indices, unsigned char pattern) {
  std::vector<GuardedBuffer> buffers;
  std::vector<levin_view> views;
  for (const FieldInfo& field : place.info.fields)
    buffers.emplace_back(field, static_cast<int64_t>(indices.size()), pattern);
  for (GuardedBuffer& buffer : buffers) views.push_back(buffer.view());
  levin_fill in{};
  in.size = sizeof in;
  in.split = place.split;
  in.loader = place.loader;
  in.indices = indices.data();
  in.n = static_cast<int64_t>(indices.size());
  in.epoch = 3;
  in.seed = 7;
  data.invoke("fill", [&] { return data.table().fill(data.self(), &in, views.data()); });
  for (size_t f = 0; f < buffers.size(); ++f)
    if (!buffers[f].intact())
      throw Error(ErrorKind::plugin, "field '" + place.info.fields[f].name + "' was written past its buffer");
  Rows rows(indices.size());
  for (size_t i = 0; i < rows.size(); ++i)
    for (const GuardedBuffer& buffer : buffers) rows[i] += buffer.row(static_cast<int64_t>(i));
  return rows;
}

std::vector<int64_t> sample(const Place& place) {
  std::vector<int64_t> out;
  const int64_t n = std::min(place.info.rows, most_rows);
  for (int64_t i = 0; i < n; ++i) out.push_back(i < n / 2 ? i : place.info.rows - n + i);
  return out;
}

std::string differing(const Place& place, const std::vector<int64_t>& indices, const Rows& a, const Rows& b) {
  for (size_t i = 0; i < indices.size(); ++i)
    if (a[i] != b[i]) return place.name() + ": row " + std::to_string(indices[i]) + " differs";
  return "";
}

}  // namespace levin::core
