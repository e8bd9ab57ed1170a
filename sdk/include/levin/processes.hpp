// Numbers and texts that are equal in all processes, for callbacks that make the same decision on every rank.
#pragma once
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/detail/owned_tensor.hpp"
#include "levin/host_tensor.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

namespace detail {
template <class T>
constexpr uint8_t dtype_code = std::is_floating_point<T>::value ? LEVIN_FLOAT : LEVIN_INT;

// Puts the 64-bit values into a tensor, calls collective(tensor), and returns the values of the tensor.
template <class T, class F>
std::vector<T> after(const Run& run, std::vector<T> values, const F& collective) {
  int64_t shape = static_cast<int64_t>(values.size());
  levin_view view{};
  view.data = values.data();
  view.device = {LEVIN_CPU, 0};
  view.ndim = 1;
  view.dtype = {dtype_code<T>, 64, 1};
  view.shape = &shape;
  levin_tensor* made = nullptr;
  check(run.host()->tensor_from_view(run.host(), &view, &made), "a tensor cannot be made");
  const OwnedTensor tensor(run.host(), made);
  collective(tensor.get());
  const HostTensor result(run, tensor.get());
  if constexpr (std::is_floating_point<T>::value)
    return result.numbers();
  else
    return result.integers();
}
inline std::vector<int64_t> broadcast(const Run& run, std::vector<int64_t> values) {
  return after(run, std::move(values), [&](levin_tensor* tensor) { run.broadcast(tensor); });
}
}  // namespace detail

// Collective. Reduces the values of all processes element by element; every process passes the same number of values.
// reduce: LEVIN_REDUCE_*.
inline std::vector<int64_t> over_processes(const Run& run, std::vector<int64_t> values, uint32_t reduce) {
  return detail::after(run, std::move(values), [&](levin_tensor* tensor) { run.all_reduce(tensor, reduce); });
}
inline std::vector<double> numbers_over_processes(const Run& run, std::vector<double> values, uint32_t reduce) {
  return detail::after(run, std::move(values), [&](levin_tensor* tensor) { run.all_reduce(tensor, reduce); });
}

// Collective. Returns the value of rank 0. Free of cost with one process.
inline std::string of_first(const Run& run, const std::string& text) {
  if (run.world_size() == 1) return text;
  const std::vector<int64_t> size = detail::broadcast(run, {static_cast<int64_t>(text.size())});
  std::vector<int64_t> bytes(text.begin(), text.end());
  bytes.resize(static_cast<size_t>(size.at(0)));
  if (bytes.empty()) return "";
  bytes = detail::broadcast(run, std::move(bytes));
  return {bytes.begin(), bytes.end()};
}
inline double of_first(const Run& run, double value) {
  if (run.world_size() == 1) return value;
  int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  bits = detail::broadcast(run, {bits}).at(0);
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

}  // namespace levin
#pragma GCC visibility pop
