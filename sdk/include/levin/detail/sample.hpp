// levin::Sample: a row whose fields may differ in shape from row to row, and the default collation of such rows.
#pragma once
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/detail/managed.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// A row to be filled in by get of a data module. Every field must be set. Its shape has the dimensions of the declared
// shape and differs from it only where that is -1. Throws Error otherwise, and for elements of another type.
class Sample {
 public:
  explicit Sample(const std::vector<Field>& fields) : fields_(&fields), values_(fields.size()) {}

  template <class T>
  void set(FieldKey key, const std::vector<T>& values, std::vector<int64_t> shape) {
    const size_t field = key.in(*fields_);
    T* const to = resize<T>(field, std::move(shape));
    if (values.size() != count(field))
      refuse(field,
             "was given " + std::to_string(values.size()) + " values and a shape of " + std::to_string(count(field)));
    std::copy(values.begin(), values.end(), to);
  }
  // Sets a field of one dimension.
  template <class T>
  void set(FieldKey field, const std::vector<T>& values) {
    set(field, values, {static_cast<int64_t>(values.size())});
  }
  // Sets a field that is a scalar.
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  void set(FieldKey field, T value) {
    *resize<T>(field, {}) = value;
  }
  // Sets the shape of a field and returns the address of its elements, row-major and initially 0.
  template <class T>
  T* resize(FieldKey key, std::vector<int64_t> shape) {
    const size_t field = key.in(*fields_);
    check_type<T>(field);
    check_shape(field, shape);
    Values& values = values_[field];
    values.shape = std::move(shape);
    values.given = true;
    values.bytes.assign(count(field) * sizeof(T), 0);
    return reinterpret_cast<T*>(values.bytes.data());
  }

  template <class T>
  const T* data(FieldKey key) const {
    const size_t field = key.in(*fields_);
    check_type<T>(field);
    return reinterpret_cast<const T*>(bytes(field).data());
  }
  const std::vector<int64_t>& shape(FieldKey field) const { return given(field.in(*fields_)).shape; }
  const std::vector<char>& bytes(FieldKey field) const { return given(field.in(*fields_)).bytes; }
  const std::vector<Field>& fields() const { return *fields_; }

 private:
  struct Values {
    bool given = false;
    std::vector<int64_t> shape;
    std::vector<char> bytes;
  };
  size_t count(size_t field) const {
    size_t n = 1;
    for (const int64_t d : values_[field].shape) n *= static_cast<size_t>(d);
    return n;
  }
  template <class T>
  void check_type(size_t field) const {
    const levin_dtype dtype = (*fields_)[field].dtype;
    if (!detail::holds<T>(dtype))
      refuse(field, "is of " + detail::dtype_name(dtype) + ", and was given numbers of " +
                        detail::dtype_name(detail::dtype_like<T>()));
  }
  void check_shape(size_t field, const std::vector<int64_t>& shape) const {
    const std::vector<int64_t>& wanted = (*fields_)[field].shape;
    bool same = shape.size() == wanted.size();
    for (size_t d = 0; same && d < shape.size(); ++d) same = shape[d] >= 0 && (wanted[d] < 0 || wanted[d] == shape[d]);
    if (!same) refuse(field, "is of shape " + text_of(wanted) + " in fields(), and was given one of " + text_of(shape));
  }
  const Values& given(size_t field) const {
    if (!values_[field].given) refuse(field, "was not given");
    return values_[field];
  }
  static std::string text_of(const std::vector<int64_t>& shape) {
    std::string out = "[";
    for (const int64_t d : shape) out += (out.size() > 1 ? ", " : "") + std::to_string(d);
    return out + "]";
  }
  [[noreturn]] void refuse(size_t field, const std::string& what) const {
    throw Error(LEVIN_E_INVALID,
                "field " + std::to_string(field) + " ('" + (*fields_)[field].name + "') of a row " + what);
  }

  const std::vector<Field>* fields_;
  std::vector<Values> values_;
};

namespace detail {

template <class T>
void repeat(double value, std::vector<char>& bytes) {
  const T number = static_cast<T>(value);
  for (size_t i = 0; i + sizeof number <= bytes.size(); i += sizeof number)
    std::memcpy(&bytes[i], &number, sizeof number);
}

// Returns the bytes of n elements with the field's padding value. Throws Error if the type cannot represent the value.
inline std::vector<char> padding_of(const Field& field, size_t n) {
  std::vector<char> bytes(n * field.dtype.bits / 8, 0);
  if (field.padding == 0) return bytes;
  switch (field.dtype.code * 256u + field.dtype.bits) {
    case LEVIN_FLOAT * 256u + 32:
      return repeat<float>(field.padding, bytes), bytes;
    case LEVIN_FLOAT * 256u + 64:
      return repeat<double>(field.padding, bytes), bytes;
    case LEVIN_INT * 256u + 8:
      return repeat<int8_t>(field.padding, bytes), bytes;
    case LEVIN_INT * 256u + 16:
      return repeat<int16_t>(field.padding, bytes), bytes;
    case LEVIN_INT * 256u + 32:
      return repeat<int32_t>(field.padding, bytes), bytes;
    case LEVIN_INT * 256u + 64:
      return repeat<int64_t>(field.padding, bytes), bytes;
    case LEVIN_UINT * 256u + 8:
      return repeat<uint8_t>(field.padding, bytes), bytes;
    default:
      throw Error(LEVIN_E_UNSUPPORTED,
                  "field '" + field.name + "' of " + dtype_name(field.dtype) + " is padded with 0 only");
  }
}

// Copies a row-major block into the corner of a larger one; both have `dims` dimensions.
inline void copy_block(const char* from, const int64_t* shape, char* to, const int64_t* larger, size_t dims,
                       size_t item) {
  if (dims == 0) return void(std::memcpy(to, from, item));
  size_t from_step = item, to_step = item;
  for (size_t d = 1; d < dims; ++d) {
    from_step *= static_cast<size_t>(shape[d]);
    to_step *= static_cast<size_t>(larger[d]);
  }
  for (int64_t i = 0; i < shape[0]; ++i, from += from_step, to += to_step)
    if (from_step > 0) copy_block(from, shape + 1, to, larger + 1, dims - 1, item);
}

// Returns one field of all rows, padded to the longest row.
inline levin_managed* padded(const std::vector<Sample>& rows, size_t f) {
  const Field& field = rows.front().fields()[f];
  std::vector<int64_t> shape = {static_cast<int64_t>(rows.size())};
  shape.insert(shape.end(), field.shape.size(), 0);
  for (const Sample& row : rows)
    for (size_t d = 0; d < field.shape.size(); ++d) shape[d + 1] = std::max(shape[d + 1], row.shape(f)[d]);
  size_t in_row = 1;
  for (size_t d = 1; d < shape.size(); ++d) in_row *= static_cast<size_t>(shape[d]);
  std::vector<char> bytes = padding_of(field, in_row * rows.size());
  const size_t item = field.dtype.bits / 8u;
  for (size_t i = 0; i < rows.size() && in_row > 0; ++i)
    copy_block(rows[i].bytes(f).data(), rows[i].shape(f).data(), bytes.data() + i * in_row * item, shape.data() + 1,
               field.shape.size(), item);
  return manage(std::move(bytes), std::move(shape), field.dtype);
}

}  // namespace detail

// The default `collate` of data modules: pads each field with its `padding` to the longest row of the batch.
inline void collate_padded(const std::vector<Sample>& rows, std::vector<levin_managed*>& batch) {
  if (rows.empty()) return;
  for (size_t f = 0; f < rows.front().fields().size(); ++f) batch.push_back(detail::padded(rows, f));
}

}  // namespace levin
#pragma GCC visibility pop
