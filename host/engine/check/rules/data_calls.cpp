#include "host/engine/check/rules/data_calls.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/data/source/guarded_rows.hpp"

namespace levin::core {
namespace {

constexpr int64_t most_rows = 24;  // rows to check in each split

// Throws Error{plugin} that names the row, if writing single rows shows which one it is.
[[noreturn]] void refuse(const DataModule& data, const Place& place, const std::vector<int64_t>& indices, size_t field,
                         const std::string& fault) {
  for (const int64_t i : indices)
    if (indices.size() > 1) fill(data, place, {i});
  const std::string row = indices.size() == 1 ? "row " + std::to_string(indices[0]) : "a batch";
  throw Error(ErrorKind::plugin,
              "field '" + place.info.fields[field].name + "' was written past its buffer: " + row + ", " + fault);
}

}  // namespace

std::string Place::name() const {
  return std::string(split_name(split)) + (loader ? "[" + std::to_string(loader) + "]" : "");
}

Rows fill(const DataModule& data, const Place& place, const std::vector<int64_t>& indices, unsigned char pattern) {
  std::vector<GuardedRows> buffers;
  std::vector<levin_view> views;
  for (const FieldInfo& field : place.info.fields)
    buffers.emplace_back(field, static_cast<int64_t>(indices.size()), pattern);
  for (GuardedRows& buffer : buffers) views.push_back(buffer.view());
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
    if (const std::string fault = buffers[f].fault(); !fault.empty()) refuse(data, place, indices, f, fault);
  Rows rows(indices.size());
  for (size_t i = 0; i < rows.size(); ++i)
    for (const GuardedRows& buffer : buffers) {
      const size_t n = buffer.size() / rows.size();
      rows[i] += std::string(reinterpret_cast<const char*>(buffer.data()) + n * i, n);
    }
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
