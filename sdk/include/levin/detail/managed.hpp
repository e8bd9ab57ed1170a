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

// What a levin_managed points to. It lives until the deleter is called.
template <class T>
struct ManagedRows {
  levin_managed head{};
  std::vector<T> values;
  std::vector<int64_t> shape;
};

template <class T>
levin_managed* manage(std::vector<T> values, std::vector<int64_t> shape, levin_dtype dtype) {
  auto* rows = new ManagedRows<T>{{}, std::move(values), std::move(shape)};
  rows->head.major = 1;  // of DLPack, whose layout this is
  rows->head.ctx = rows;
  rows->head.deleter = [](levin_managed* self) { delete static_cast<ManagedRows<T>*>(self->ctx); };
  rows->head.view.data = rows->values.data();
  rows->head.view.device = {LEVIN_CPU, 0};
  rows->head.view.ndim = static_cast<int32_t>(rows->shape.size());
  rows->head.view.dtype = dtype;
  rows->head.view.shape = rows->shape.data();
  return &rows->head;
}

// The tensors of a batch until the host has them.
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

// One field of a batch: row-major values of numbers in a shape whose first dimension is the rows. Throws Error if
// values and shape do not fit. The caller owns it and has to call its deleter once; the host does that for what a data
// module hands over, on any thread.
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
