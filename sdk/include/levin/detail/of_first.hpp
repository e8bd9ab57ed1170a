// What the first of several processes has, in all of them: for callbacks by whose decisions all processes go.
#pragma once
#include <cstring>
#include <vector>

#include "levin/detail/owned_tensor.hpp"
#include "levin/host_tensor.hpp"

#pragma GCC visibility push(hidden)
namespace levin::detail {

inline std::vector<int64_t> broadcast(const Run& run, std::vector<int64_t> values) {
  int64_t shape = static_cast<int64_t>(values.size());
  levin_view view{};
  view.data = values.data();
  view.device = {LEVIN_CPU, 0};
  view.ndim = 1;
  view.dtype = {LEVIN_INT, 64, 1};
  view.shape = &shape;
  levin_tensor* made = nullptr;
  check(run.host()->tensor_from_view(run.host(), &view, &made), "a tensor cannot be made");
  const OwnedTensor tensor(run.host(), made);
  run.broadcast(tensor.get());
  return HostTensor(run, tensor.get()).integers();
}

// Collective: called by all processes at the same place. A run of one process costs nothing.
inline std::string of_first(const Run& run, const std::string& text) {
  if (run.world_size() == 1) return text;
  const std::vector<int64_t> size = broadcast(run, {static_cast<int64_t>(text.size())});
  std::vector<int64_t> bytes(text.begin(), text.end());
  bytes.resize(static_cast<size_t>(size.at(0)));
  if (bytes.empty()) return "";
  bytes = broadcast(run, std::move(bytes));
  return {bytes.begin(), bytes.end()};
}
inline double of_first(const Run& run, double value) {
  if (run.world_size() == 1) return value;
  int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  bits = broadcast(run, {bits}).at(0);
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

}  // namespace levin::detail
#pragma GCC visibility pop
