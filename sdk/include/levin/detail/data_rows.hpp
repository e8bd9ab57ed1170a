// The rows of a data module: the split that they belong to, their fields, and where the host wants them.
#pragma once
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/error.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

enum class Split : uint32_t { train, val, test, predict };

// A field of a row.
struct Field {
  std::string name;
  levin_dtype dtype;
  std::vector<int64_t> shape;            // without the batch dimension, at most 6; {}: one number a row
  uint32_t role = LEVIN_ROLE_INPUT;      // LEVIN_ROLE_*
  int64_t classes = 0;                   // how many classes the values name; 0: they name none
  std::vector<std::string> class_names;  // one for each class, or none
};
inline bool operator==(const Field& a, const Field& b) {
  const auto dtype = [](const Field& f) { return std::make_tuple(f.dtype.code, f.dtype.bits, f.dtype.lanes); };
  return dtype(a) == dtype(b) && std::tie(a.name, a.shape, a.role, a.classes, a.class_names) ==
                                     std::tie(b.name, b.shape, b.role, b.classes, b.class_names);
}
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

// Which rows DataModule::fill has to make. Borrowed for the call.
struct Fill {
  levin::Split split;
  const int64_t* indices;  // n of them
  int64_t n, epoch;
  uint64_t seed;   // of the run; augmentation draws from it, the epoch and the index
  int64_t loader;  // its index in the split
};

namespace detail {
// The dtype whose numbers C++ has as T: of a number its kind and width, of anything else (a half) its width only.
template <class T>
constexpr levin_dtype dtype_like() {
  const uint8_t code = std::is_same_v<T, bool>       ? LEVIN_BOOL
                       : std::is_floating_point_v<T> ? LEVIN_FLOAT
                       : std::is_unsigned_v<T>       ? LEVIN_UINT
                                                     : LEVIN_INT;
  return {code, static_cast<uint8_t>(8 * sizeof(T)), 1};
}
// Bits of what T has no type for are taken as unsigned numbers: uint16_t for halves, uint8_t for bool.
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

// Where one row goes. data<T>(field) points to the row's numbers of that field, row-major. Throws Error if the row has
// no such field, or the field is not of the type T.
class Row {
 public:
  Row(const levin_view* views, int64_t row, const std::vector<Field>& fields)
      : views_(views), row_(row), fields_(&fields) {}
  template <class T>
  T* data(size_t field) const {
    using Number = std::remove_cv_t<T>;
    if (field >= fields_->size() || !detail::holds<Number>(views_[field].dtype))
      refuse(field, std::is_arithmetic_v<Number> ? detail::dtype_name(detail::dtype_like<Number>()) : "another");
    int64_t n = 1;
    for (int32_t d = 1; d < views_[field].ndim; ++d) n *= views_[field].shape[d];
    return static_cast<T*>(views_[field].data) + row_ * n;
  }

 private:
  [[noreturn]] void refuse(size_t field, const std::string& wanted) const {
    if (field >= fields_->size())
      throw Error(LEVIN_E_INVALID, "a row has " + std::to_string(fields_->size()) +
                                       " fields, numbered from 0, and no field " + std::to_string(field));
    throw Error(LEVIN_E_INVALID, "field " + std::to_string(field) + " ('" + (*fields_)[field].name + "') is of " +
                                     detail::dtype_name(views_[field].dtype) + ", and Row::data was asked for its " +
                                     wanted + " numbers");
  }
  const levin_view* views_;
  int64_t row_;
  const std::vector<Field>* fields_;
};

namespace detail {
constexpr levin_dtype dtype_of(float) { return float32; }
constexpr levin_dtype dtype_of(double) { return float64; }
constexpr levin_dtype dtype_of(int64_t) { return int64; }
constexpr levin_dtype dtype_of(uint8_t) { return uint8; }

// What a levin_managed points to. It lives until the deleter is called.
template <class T>
struct ManagedRows {
  levin_managed head{};
  std::vector<T> values;
  std::vector<int64_t> shape;
};
}  // namespace detail

// One field of a stream's batch: row-major values of float, double, int64_t or uint8_t in a shape whose first dimension
// is the rows. Throws Error if values and shape do not fit. The caller owns it and has to call its deleter once; the
// host does that for what `next` hands over, on any thread.
template <class T>
levin_managed* managed(std::vector<T> values, std::vector<int64_t> shape) {
  int64_t elements = 1;
  for (const int64_t d : shape) elements *= d;
  if (elements != static_cast<int64_t>(values.size()))
    throw Error(LEVIN_E_INVALID, "a tensor of " + std::to_string(elements) + " elements by its shape was given " +
                                     std::to_string(values.size()) + " values");
  auto* rows = new detail::ManagedRows<T>{{}, std::move(values), std::move(shape)};
  rows->head.major = 1;  // of DLPack, whose layout this is
  rows->head.ctx = rows;
  rows->head.deleter = [](levin_managed* self) { delete static_cast<detail::ManagedRows<T>*>(self->ctx); };
  const auto dimensions = static_cast<int32_t>(rows->shape.size());
  rows->head.view = {rows->values.data(), {LEVIN_CPU, 0}, dimensions, detail::dtype_of(T{}),
                     rows->shape.data(),  nullptr,        0};
  return &rows->head;
}

}  // namespace levin
#pragma GCC visibility pop
