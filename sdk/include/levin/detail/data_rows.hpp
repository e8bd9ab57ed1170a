// The rows of a data module: the split that they belong to, their fields, and where the host wants them.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "levin/error.hpp"

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

// Where one row goes. data<T>(field) points to the row's numbers of that field, row-major, of the field's type.
class Row {
 public:
  Row(const levin_view* views, int64_t row) : views_(views), row_(row) {}
  template <class T>
  T* data(size_t field) const {
    int64_t n = 1;
    for (int32_t d = 1; d < views_[field].ndim; ++d) n *= views_[field].shape[d];
    return static_cast<T*>(views_[field].data) + row_ * n;
  }

 private:
  const levin_view* views_;
  int64_t row_;
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
