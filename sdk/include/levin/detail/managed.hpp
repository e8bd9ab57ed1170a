// Tensors that a data module hands over to the host.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "levin/detail/data_rows.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// The memory of a levin_managed. It exists until the deleter is called.
template <class T>
struct ManagedRows {
  levin_managed head{};
  std::vector<T> values;
  std::vector<int64_t> shape;
};

template <class T>
levin_managed* manage(std::vector<T> values, std::vector<int64_t> shape, levin_dtype dtype) {
  auto* rows = new ManagedRows<T>{{}, std::move(values), std::move(shape)};
  rows->head.major = 1;  // version of DLPack, whose layout this is
  rows->head.ctx = rows;
  rows->head.deleter = [](levin_managed* self) { delete static_cast<ManagedRows<T>*>(self->ctx); };
  rows->head.view.data = rows->values.data();
  rows->head.view.device = {LEVIN_CPU, 0};
  rows->head.view.ndim = static_cast<int32_t>(rows->shape.size());
  rows->head.view.dtype = dtype;
  rows->head.view.shape = rows->shape.data();
  return &rows->head;
}

// Owns the tensors of a batch until they are handed over to the host.
class ManagedList {
 public:
  ManagedList() = default;
  ManagedList(const ManagedList&) = delete;
  ManagedList& operator=(const ManagedList&) = delete;
  ~ManagedList() {
    std::sort(tensors.begin(), tensors.end());
    tensors.erase(std::unique(tensors.begin(), tensors.end()), tensors.end());
    for (levin_managed* m : tensors)
      if (m && m->deleter) m->deleter(m);
  }
  void hand_over(levin_managed** out, uint32_t cap, uint32_t* n) {
    if (tensors.size() > cap)
      throw Error(LEVIN_E_INVALID,
                  "a batch of " + std::to_string(tensors.size()) + " tensors; fields() describes fewer");
    *n = static_cast<uint32_t>(tensors.size());
    std::copy(tensors.begin(), tensors.end(), out);
    tensors.clear();
  }
  std::vector<levin_managed*> tensors;
};

}  // namespace detail

// Returns one field of a batch: row-major values; the first dimension of the shape is the rows. Throws Error if values
// and shape do not fit. The caller owns the result and must call its deleter once. For tensors that a data module hands
// over, the host calls it, on any thread.
template <class T>
levin_managed* managed(std::vector<T> values, std::vector<int64_t> shape) {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "values of numbers; for bool use uint8_t and a field of levin::uint8");
  int64_t elements = 1;
  for (const int64_t d : shape) elements *= d;
  if (elements != static_cast<int64_t>(values.size()))
    throw Error(LEVIN_E_INVALID, "a tensor of " + std::to_string(elements) + " elements by its shape was given " +
                                     std::to_string(values.size()) + " values");
  return detail::manage(std::move(values), std::move(shape), detail::dtype_like<T>());
}

}  // namespace levin
#pragma GCC visibility pop
