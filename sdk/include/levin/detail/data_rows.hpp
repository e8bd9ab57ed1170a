// The rows of a data module: splits, fields, and the host's buffers.
#pragma once
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/error.hpp"
#include "levin/random.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

enum class Split : uint32_t { train, val, test, predict };

// A field of a row.
struct Field {
  std::string name;
  levin_dtype dtype;
  std::vector<int64_t> shape;        // without the batch dimension, at most 6; {} = one number per row
  uint32_t role = LEVIN_ROLE_INPUT;  // LEVIN_ROLE_*
  // Number of classes: of indices, or, if the type is floating-point, of probabilities in the first dimension of shape;
  // 0 = neither.
  int64_t classes = 0;
  std::vector<std::string> class_names;  // one per class, or empty
  double padding = 0;                    // value that pads shorter rows of a ragged field
};
inline bool operator==(const Field& a, const Field& b) {
  const auto dtype = [](const Field& f) { return std::make_tuple(f.dtype.code, f.dtype.bits, f.dtype.lanes); };
  return dtype(a) == dtype(b) && std::tie(a.name, a.shape, a.role, a.classes, a.class_names, a.padding) ==
                                     std::tie(b.name, b.shape, b.role, b.classes, b.class_names, b.padding);
}

// The numbers of a field of float32 that stand for bytes: byte * scale[c] + shift[c], where c is the index in the first
// dimension of its shape. Empty if the field has no such numbers.
struct ByteScale {
  std::vector<float> scale, shift;
};

inline constexpr levin_dtype float32{LEVIN_FLOAT, 32, 1};
inline constexpr levin_dtype float64{LEVIN_FLOAT, 64, 1};
inline constexpr levin_dtype int64{LEVIN_INT, 64, 1};
inline constexpr levin_dtype uint8{LEVIN_UINT, 8, 1};
inline Field input(std::string name, levin_dtype dtype, std::vector<int64_t> shape) {
  return {std::move(name), dtype, std::move(shape), LEVIN_ROLE_INPUT, 0, {}};
}
inline Field target(std::string name, int64_t classes, std::vector<std::string> class_names = {}) {
  return {std::move(name), int64, {}, LEVIN_ROLE_TARGET, classes, std::move(class_names)};
}

// A target that has the probability of each class.
inline Field probabilities(std::string name, int64_t classes, std::vector<std::string> class_names = {}) {
  return {std::move(name), float32, {classes}, LEVIN_ROLE_TARGET, classes, std::move(class_names)};
}

namespace detail {
inline Field field_from(const levin_field& from) {
  Field field{from.name, from.dtype, {from.shape, from.shape + from.ndim}, from.role, from.classes, {}};
  for (int64_t c = 0; from.class_names && c < from.classes; ++c) field.class_names.push_back(from.class_names[c]);
  return field;
}
}  // namespace detail

// Arguments of fill, batch, next and rewind of a data module. Borrowed for the call.
struct Fill {
  levin::Split split;
  const int64_t* indices;  // n indices; nullptr in next and rewind
  int64_t n;               // in next and rewind the requested batch size
  int64_t epoch;
  uint64_t seed;   // of the run; derive augmentation from seed, epoch and index
  int64_t loader;  // index of the loader in the split
};

// The source of random numbers for the augmentation of one row; makes it reproducible.
struct Draw {
  levin::Split split;
  int64_t loader, index, epoch;
  uint64_t seed;  // of the run
  Random random() const { return Random(seed, epoch, index, loader, static_cast<uint32_t>(split)); }
};

namespace detail {
// Returns the dtype of T. For types other than numbers (a half) only the width is meaningful.
template <class T>
constexpr levin_dtype dtype_like() {
  const uint8_t code = std::is_same_v<T, bool>       ? LEVIN_BOOL
                       : std::is_floating_point_v<T> ? LEVIN_FLOAT
                       : std::is_unsigned_v<T>       ? LEVIN_UINT
                                                     : LEVIN_INT;
  return {code, static_cast<uint8_t>(8 * sizeof(T)), 1};
}
// Returns true if elements of the dtype can be accessed as T. Types without a C++ type are accessed as unsigned
// integers: uint16_t for halves, uint8_t for bool.
template <class T>
bool holds(const levin_dtype& dtype) {
  constexpr levin_dtype like = dtype_like<T>();
  if (dtype.bits * dtype.lanes != like.bits) return false;
  if (!std::is_arithmetic_v<T> || dtype.code == like.code) return true;
  const bool half = dtype.code == LEVIN_FLOAT && dtype.bits == 16;
  const bool without_type = half || dtype.code == LEVIN_BFLOAT || dtype.code == LEVIN_BOOL;
  return like.code == LEVIN_UINT && without_type;
}
inline std::string dtype_name(const levin_dtype& dtype) {
  static constexpr const char* kinds[] = {"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
  const std::string kind = dtype.code < sizeof kinds / sizeof *kinds ? kinds[dtype.code] : "unknown";
  return kind == "bool" ? kind : kind + std::to_string(dtype.bits);
}
}  // namespace detail

// A field by its index, counted from 0, or its name.
class FieldKey {
 public:
  template <class I, class = std::enable_if_t<std::is_integral_v<I> || std::is_enum_v<I>>>
  constexpr FieldKey(I index) : index_(static_cast<size_t>(index)) {}
  constexpr FieldKey(const char* name) : name_(name) {}
  FieldKey(const std::string& name) : name_(name.c_str()) {}

  // Returns the index among these fields. Throws Error if it is not one of them.
  size_t in(const std::vector<Field>& fields) const {
    if (!name_ && index_ < fields.size()) return index_;
    if (!name_)
      throw Error(LEVIN_E_INVALID, "a row has " + std::to_string(fields.size()) +
                                       " fields, numbered from 0, and no field " + std::to_string(index_));
    std::string known;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].name == name_) return i;
      known += (known.empty() ? "" : ", ") + fields[i].name;
    }
    throw Error(LEVIN_E_NOT_FOUND, std::string("a row has no field '") + name_ + "'; it has: " + known);
  }

 private:
  size_t index_ = 0;
  const char* name_ = nullptr;
};

// The buffers of one row. data<T>(field) returns the address of the row's elements of a field, row-major. Throws Error
// if the row has no such field, or the field is not of the type T. Access by index is faster than by name.
class Row {
 public:
  Row(const levin_view* views, int64_t row, const std::vector<Field>& fields)
      : views_(views), row_(row), fields_(&fields) {}
  template <class T>
  T* data(FieldKey key) const {
    using Number = std::remove_cv_t<T>;
    const size_t field = key.in(*fields_);
    if (!detail::holds<Number>(views_[field].dtype))
      refuse(field, std::is_arithmetic_v<Number> ? detail::dtype_name(detail::dtype_like<Number>()) : "another");
    int64_t n = 1;
    for (int32_t d = 1; d < views_[field].ndim; ++d) n *= views_[field].shape[d];
    return static_cast<T*>(views_[field].data) + row_ * n;
  }

 private:
  [[noreturn]] void refuse(size_t field, const std::string& wanted) const {
    throw Error(LEVIN_E_INVALID, "field " + std::to_string(field) + " ('" + (*fields_)[field].name + "') is of " +
                                     detail::dtype_name(views_[field].dtype) + ", and Row::data was asked for its " +
                                     wanted + " numbers");
  }
  const levin_view* views_;
  int64_t row_;
  const std::vector<Field>* fields_;
};

}  // namespace levin
#pragma GCC visibility pop
