// "levin.run_data/1" of the fake host, backed by the rows in World::data.
#pragma once
#include "levin/testing/world.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing::detail {

inline Loader* find_loader(levin_run* run, uint32_t split, uint32_t loader) {
  auto& data = World::of(run).data;
  const auto found = data.find(static_cast<Split>(split));
  return found == data.end() || loader >= found->second.size() ? nullptr : &found->second[loader];
}

inline levin_status describe_loader(levin_run* run, uint32_t split, uint32_t index, levin_split* out) {
  Loader* const loader = find_loader(run, split, index);
  if (!loader) return LEVIN_E_NOT_FOUND;
  loader->raw.clear();
  for (const Field& field : loader->fields) {
    levin_field raw{};
    raw.name = field.name.c_str();
    raw.dtype = field.dtype;
    raw.ndim = static_cast<int32_t>(field.shape.size());
    std::copy(field.shape.begin(), field.shape.end(), raw.shape);
    raw.role = field.role;
    raw.classes = field.classes;
    loader->raw.push_back(raw);
  }
  out->rows = loader->rows;
  out->fields = loader->raw.data();
  out->n_fields = static_cast<uint32_t>(loader->raw.size());
  out->field_size = sizeof(levin_field);
  return LEVIN_OK;
}

template <class T>
void write_as(char* to, double value) {
  const T number = static_cast<T>(value);
  std::memcpy(to, &number, sizeof number);
}
inline void write_number(const levin_dtype& dtype, char* to, double value) {
  if (dtype.code == LEVIN_FLOAT) return dtype.bits == 64 ? write_as<double>(to, value) : write_as<float>(to, value);
  if (dtype.bits == 64) return write_as<int64_t>(to, value);
  return dtype.bits == 32 ? write_as<int32_t>(to, value) : write_as<uint8_t>(to, value);
}

inline levin_tensor* gathered(const Loader& loader, size_t f, const int64_t* indices, int64_t n) {
  const Field& field = loader.fields[f];
  std::vector<int64_t> shape = {n};
  shape.insert(shape.end(), field.shape.begin(), field.shape.end());
  int64_t in_row = 1;
  for (const int64_t d : field.shape) in_row *= d;
  const size_t item = field.dtype.bits / 8u;
  std::vector<char> bytes(static_cast<size_t>(n * in_row) * item);
  for (int64_t i = 0; i < n * in_row; ++i)
    write_number(field.dtype, &bytes[static_cast<size_t>(i) * item],
                 loader.values.at(f).at(static_cast<size_t>(indices[i / in_row] * in_row + i % in_row)));
  return copy_of(
             {bytes.data(), {LEVIN_CPU, 0}, static_cast<int32_t>(shape.size()), field.dtype, shape.data(), nullptr, 0})
      ->handle();
}

inline levin_status gather_rows(levin_run* run, uint32_t split, uint32_t index, const int64_t* indices, int64_t n,
                                levin_tensor** out, uint32_t cap, uint32_t* n_out) {
  const Loader* const loader = find_loader(run, split, index);
  if (!loader) return LEVIN_E_NOT_FOUND;
  if (loader->rows < 0) return LEVIN_E_UNSUPPORTED;
  for (int64_t i = 0; i < n; ++i)
    if (indices[i] < 0 || indices[i] >= loader->rows) return LEVIN_E_INVALID;
  if (n < 1 || cap < loader->fields.size()) return LEVIN_E_INVALID;
  *n_out = static_cast<uint32_t>(loader->fields.size());
  for (uint32_t f = 0; f < *n_out; ++f) {
    out[f] = gathered(*loader, f, indices, n);
    ++World::of(run).live_tensors;
  }
  return LEVIN_OK;
}

inline const levin_run_data& data() {
  static const levin_run_data table = {sizeof(levin_run_data), 0,
                                       [](levin_run* run, uint32_t split, uint32_t* n) -> levin_status {
                                         const auto& all = World::of(run).data;
                                         const auto found = all.find(static_cast<Split>(split));
                                         *n = found == all.end() ? 0 : static_cast<uint32_t>(found->second.size());
                                         return LEVIN_OK;
                                       },
                                       &describe_loader, &gather_rows};
  return table;
}

}  // namespace levin::testing::detail
#pragma GCC visibility pop
