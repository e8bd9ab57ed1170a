// Rows of a data module in a test:
//   Component data(host, "my_data");
//   setup(data, Stage::fit);
//   const Rows rows = fill(data, Split::train, {0, 5});   // rows.at(field, element)
// For modules that return tensors of their own: batch, resident and next.
#pragma once
#include <optional>

#include "levin/data_module.hpp"
#include "levin/testing/component.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing {

struct Rows {
  std::vector<std::string> names;        // of the fields
  std::vector<std::vector<char>> bytes;  // row-major
  std::vector<levin_view> views;         // shape: the number of rows, then the shape of the field
  std::vector<std::vector<int64_t>> shapes;
  double at(size_t field, int64_t element_index) const { return element(views.at(field), element_index); }
};

namespace detail {

// Copies the tensors, then deletes them as the host does. Throws Error if a tensor is null.
inline Rows taken(const levin_split& description, levin_managed* const* tensors, uint32_t n) {
  Rows rows;
  for (uint32_t f = 0; f < n; ++f) {
    if (!tensors[f]) throw Error(LEVIN_E_INVALID, "tensor " + std::to_string(f) + " is null");
    const levin_view& view = tensors[f]->view;
    Tensor* const copy = copy_of(view);
    rows.names.push_back(f < description.n_fields ? description.fields[f].name : "");
    rows.bytes.push_back(copy->bytes);
    rows.shapes.push_back(copy->shape);
    rows.views.push_back({nullptr, {LEVIN_CPU, 0}, view.ndim, view.dtype, nullptr, nullptr, 0});
    delete copy;
    if (tensors[f]->deleter) tensors[f]->deleter(tensors[f]);
  }
  for (uint32_t f = 0; f < n; ++f)
    rows.views[f].data = rows.bytes[f].data(), rows.views[f].shape = rows.shapes[f].data();
  return rows;
}

inline levin_fill fill_of(Split split, const std::vector<int64_t>& indices, int64_t epoch, uint64_t seed) {
  return {sizeof(levin_fill), static_cast<uint32_t>(split),         0,     0,
          indices.data(),     static_cast<int64_t>(indices.size()), epoch, seed};
}

constexpr uint32_t most_fields = 64;

}  // namespace detail

// Passes the run's folder to the data module, as the host does before setup. Does nothing if the module does not
// implement LEVIN_RUN_DIR.
inline void run_dir(Component& data, const std::string& path) {
  const auto* table = static_cast<const levin_run_dir*>(data.extension(LEVIN_RUN_DIR));
  if (table) data.check(table->run_dir(data.self(), path.c_str()));
}

// Calls prepare and setup, as the host does before it requests rows.
inline void setup(Component& data, Stage stage) {
  const levin_data& table = data.table<levin_data>();
  if (table.prepare) data.check(table.prepare(data.self()));
  if (table.setup) data.check(table.setup(data.self(), static_cast<uint32_t>(stage)));
}

// Returns the description of the split's first loader, valid until the next call. Throws Error (LEVIN_E_UNSUPPORTED) if
// the module does not have the split.
inline levin_split describe(Component& data, Split split) {
  levin_split out{};
  out.size = sizeof out;
  data.check(data.table<levin_data>().describe(data.self(), static_cast<uint32_t>(split), 0, &out));
  return out;
}

// Returns the rows of these indices, filled into buffers of the host.
inline Rows fill(Component& data, Split split, const std::vector<int64_t>& indices, int64_t epoch = 0,
                 uint64_t seed = 0) {
  const levin_split description = describe(data, split);
  Rows rows;
  rows.bytes.resize(description.n_fields);
  rows.shapes.resize(description.n_fields);
  for (uint32_t f = 0; f < description.n_fields; ++f) {
    const levin_field& field = *LEVIN_AT(levin_field, description.fields, description.field_size, f);
    rows.names.push_back(field.name);
    rows.shapes[f].push_back(static_cast<int64_t>(indices.size()));
    rows.shapes[f].insert(rows.shapes[f].end(), field.shape, field.shape + field.ndim);
    levin_view view{nullptr, {LEVIN_CPU, 0}, field.ndim + 1, field.dtype, rows.shapes[f].data(), nullptr, 0};
    rows.bytes[f].resize(static_cast<size_t>(element_count(view)) * field.dtype.bits / 8);
    view.data = rows.bytes[f].data();
    rows.views.push_back(view);
  }
  const levin_fill in = detail::fill_of(split, indices, epoch, seed);
  data.check(data.table<levin_data>().fill(data.self(), &in, rows.views.data()));
  return rows;
}

// Returns the rows of these indices as tensors of the module, for rows of different shapes.
inline Rows batch(Component& data, Split split, const std::vector<int64_t>& indices, int64_t epoch = 0,
                  uint64_t seed = 0) {
  const levin_split description = describe(data, split);
  const levin_fill in = detail::fill_of(split, indices, epoch, seed);
  levin_managed* out[detail::most_fields] = {};
  uint32_t n = 0;
  data.check(data.table<levin_data>().batch(data.self(), &in, out, detail::most_fields, &n));
  return detail::taken(description, out, n);
}

// Returns all rows of the split, for a module that returns them at once.
inline Rows resident(Component& data, Split split) {
  const levin_split description = describe(data, split);
  levin_managed* out[detail::most_fields] = {};
  uint32_t n = 0;
  data.check(
      data.table<levin_data>().resident(data.self(), static_cast<uint32_t>(split), 0, out, detail::most_fields, &n));
  return detail::taken(description, out, n);
}

// For streams: rewind starts an epoch, and next returns its next batch, or nullopt at its end. n: the number of rows
// requested.
inline void rewind(Component& data, Split split, int64_t n, int64_t epoch = 0, uint64_t seed = 0) {
  levin_fill in = detail::fill_of(split, {}, epoch, seed);
  in.indices = nullptr, in.n = n;
  if (data.table<levin_data>().rewind) data.check(data.table<levin_data>().rewind(data.self(), &in));
}
inline std::optional<Rows> next(Component& data, Split split, int64_t n, int64_t epoch = 0, uint64_t seed = 0) {
  const levin_split description = describe(data, split);
  levin_fill in = detail::fill_of(split, {}, epoch, seed);
  in.indices = nullptr, in.n = n;
  levin_managed* out[detail::most_fields] = {};
  uint32_t count = 0;
  if (data.check(data.table<levin_data>().next(data.self(), &in, out, detail::most_fields, &count)) == LEVIN_STOP)
    return std::nullopt;
  return detail::taken(description, out, count);
}

}  // namespace levin::testing
#pragma GCC visibility pop
