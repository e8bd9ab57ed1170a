// Rows of a data module in a test:
//   Component data(host, "my_data");
//   setup(data, Stage::fit);
//   const Rows rows = fill(data, Split::train, {0, 5});   // rows.at(field, element)
#pragma once
#include "levin/data_module.hpp"
#include "levin/testing/component.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing {

struct Rows {
  std::vector<std::string> names;        // of the fields
  std::vector<std::vector<char>> bytes;  // row-major
  std::vector<levin_view> views;         // their shapes: the rows, then the field's own
  std::vector<std::vector<int64_t>> shapes;
  double at(size_t field, int64_t element_index) const { return element(views.at(field), element_index); }
};

// Calls what the host calls before it asks for rows.
inline void setup(Component& data, Stage stage) {
  const levin_data& table = data.table<levin_data>();
  if (table.prepare) data.check(table.prepare(data.self()));
  if (table.setup) data.check(table.setup(data.self(), static_cast<uint32_t>(stage)));
}

// The description of the split's first loader, valid until the next call. Throws Error (LEVIN_E_UNSUPPORTED) for a
// split that the module does not have.
inline levin_split describe(Component& data, Split split) {
  levin_split out{};
  out.size = sizeof out;
  data.check(data.table<levin_data>().describe(data.self(), static_cast<uint32_t>(split), 0, &out));
  return out;
}

// The rows of these indices, as the module fills them into the host's buffers.
inline Rows fill(Component& data, Split split, const std::vector<int64_t>& indices, int64_t epoch = 0,
                 uint64_t seed = 0) {
  const levin_split description = describe(data, split);
  Rows rows;
  rows.bytes.resize(description.n_fields);
  rows.shapes.resize(description.n_fields);
  for (uint32_t f = 0; f < description.n_fields; ++f) {
    const levin_field& field = description.fields[f];
    rows.names.push_back(field.name);
    rows.shapes[f].push_back(static_cast<int64_t>(indices.size()));
    rows.shapes[f].insert(rows.shapes[f].end(), field.shape, field.shape + field.ndim);
    levin_view view{nullptr, {LEVIN_CPU, 0}, field.ndim + 1, field.dtype, rows.shapes[f].data(), nullptr, 0};
    rows.bytes[f].resize(static_cast<size_t>(element_count(view)) * field.dtype.bits / 8);
    view.data = rows.bytes[f].data();
    rows.views.push_back(view);
  }
  const levin_fill in = {sizeof in,      static_cast<uint32_t>(split),         0,     0,
                         indices.data(), static_cast<int64_t>(indices.size()), epoch, seed};
  data.check(data.table<levin_data>().fill(data.self(), &in, rows.views.data()));
  return rows;
}

}  // namespace levin::testing
#pragma GCC visibility pop
