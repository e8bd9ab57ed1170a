#include "host/engine/check/rules/row_rules.hpp"

#include <ATen/ops/isfinite.h>

#include <algorithm>

#include "core/abi/failure.hpp"
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
  throw Error(ErrorCode::plugin_answer_invalid,
              "field '" + place.info.fields[field].name + "' was written past its buffer: " + row + ", " + fault);
}

constexpr int64_t most_small_rows = 4000, most_large_rows = 1000, large_row = 64 << 10, bytes_at_once = 16 << 20;

bool ragged(const FieldInfo& field) {
  return std::any_of(field.shape.begin(), field.shape.end(), [](int64_t d) { return d < 0; });
}

// Returns the size of a row without fields whose rows differ in shape.
int64_t bytes_of_row(const Place& place) {
  size_t bytes = 1;
  for (const FieldInfo& field : place.info.fields)
    if (!ragged(field)) bytes += row_bytes(field);
  return static_cast<int64_t>(bytes);
}

int64_t limit_of(const Place& place) { return bytes_of_row(place) > large_row ? most_large_rows : most_small_rows; }

// Returns the rows of a loader to check: all, up to 4,000, or up to 1,000 if a row has more than 64 KiB. Beyond that
// limit the rows are evenly spaced and include the first and the last.
std::vector<int64_t> rows_to_see(const Place& place) {
  const int64_t n = std::min(place.info.rows, limit_of(place));
  std::vector<int64_t> out;
  for (int64_t i = 0; i < n; ++i) out.push_back(n == place.info.rows ? i : i * (place.info.rows - 1) / (n - 1));
  return out;
}

// Calls look(rows) for a few rows at a time until it returns a text. If it throws, finds and names the row at fault.
template <class Look>
std::string over_rows(const Place& place, Look&& look) {
  const std::vector<int64_t> all = rows_to_see(place);
  const auto step = static_cast<size_t>(std::clamp<int64_t>(bytes_at_once / bytes_of_row(place), 1, 64));
  for (size_t begin = 0; begin < all.size(); begin += step) {
    const std::vector<int64_t> rows(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                    all.begin() + static_cast<std::ptrdiff_t>(std::min(begin + step, all.size())));
    std::string problem;
    try {
      problem = look(rows);
    } catch (const std::exception&) {
      for (const int64_t row : rows) try {
          look({row});
        } catch (const std::exception& e) {
          return place.name() + ": row " + std::to_string(row) + ": " + brief(e);
        }
      throw;
    }
    if (!problem.empty()) return problem;
  }
  return "";
}

// Returns a text on the first non-finite number in the batch, or "". rows: the indices of the rows; empty for a stream.
std::string not_finite(const Place& place, const std::vector<at::Tensor>& tensors, const std::vector<int64_t>& rows) {
  for (size_t f = 0; f < tensors.size() && f < place.info.fields.size(); ++f) {
    if (!tensors[f].is_floating_point() || ragged(place.info.fields[f])) continue;
    const at::Tensor finite = at::isfinite(tensors[f]);
    if (finite.all().item<bool>()) continue;
    const auto at = finite.logical_not().nonzero()[0][0].item<int64_t>();
    return "field '" + place.info.fields[f].name + "' of row " +
           (rows.empty() ? std::to_string(at) + " of a batch" : std::to_string(rows[static_cast<size_t>(at)])) +
           " has a number that is NaN or infinite";
  }
  return "";
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

std::string seen_rows(const std::vector<Place>& places) {
  std::string out;
  for (const Place& place : places)
    if (place.info.rows > 0)
      out += (out.empty() ? "" : "; ") + place.name() + ": " + std::to_string(rows_to_see(place).size()) + " of " +
             std::to_string(place.info.rows) + " rows";
  return out;
}

std::string written_twice(const DataModule& data, const Place& place) {
  return over_rows(place, [&](const std::vector<int64_t>& rows) {
    return differing(place, rows, fill(data, place, rows, 0x00), fill(data, place, rows, 0xff));
  });
}

std::vector<at::Tensor> fetched(RowSource& source, const Place& place, const std::vector<int64_t>& indices) {
  BatchSlot slot(place.info.fields, static_cast<int64_t>(indices.size()), false);
  Fetch fetch;
  fetch.indices = indices.data();
  fetch.rows = static_cast<int64_t>(indices.size());
  fetch.epoch = 3;
  fetch.seed = 7;
  source.fetch(fetch, slot);
  return slot.batch().tensors;
}

std::string sound_rows(const DataModule& data, const Place& place) {
  const auto source = make_row_source({data, place.split, place.loader, place.info});
  if (source->is_stream()) return "";
  return over_rows(place, [&](const std::vector<int64_t>& rows) {
    const std::string problem = not_finite(place, fetched(*source, place, rows), rows);
    return problem.empty() ? problem : place.name() + ": " + problem;
  });
}

std::string sound_stream(const Place& place, RowSource& source) {
  for (int64_t seen = 0; seen < limit_of(place);) {
    BatchSlot slot(place.info.fields, 1, false);
    Fetch fetch;
    fetch.rows = 4;
    if (!source.fetch(fetch, slot)) return seen == 0 ? "next gave no batch" : "";
    const std::string problem = not_finite(place, slot.batch().tensors, {});
    if (!problem.empty()) return problem + " (after " + std::to_string(seen) + " rows)";
    seen += batch_size_of(slot.batch().tensors);
  }
  return "";
}

}  // namespace levin::core
