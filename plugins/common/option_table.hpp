// Tables of options that are made of the rows of several modules.
#pragma once
#include <array>
#include <utility>

#include "levin/options.hpp"

namespace common {

// Returns a module's own options, followed by shared ones.
template <size_t N, size_t M>
constexpr std::array<levin_option, N + M> joined(const levin_option (&own)[N],
                                                 const std::array<levin_option, M>& shared) {
  std::array<levin_option, N + M> all{};
  for (size_t i = 0; i < N; ++i) all[i] = own[i];
  for (size_t i = 0; i < M; ++i) all[N + i] = shared[i];
  return all;
}

template <size_t N, size_t M>
constexpr std::array<levin_option, N + M> joined(const std::array<levin_option, N>& first,
                                                 const std::array<levin_option, M>& second) {
  std::array<levin_option, N + M> all{};
  for (size_t i = 0; i < N; ++i) all[i] = first[i];
  for (size_t i = 0; i < M; ++i) all[N + i] = second[i];
  return all;
}

// Returns what a component's option_table() returns.
template <size_t N>
std::pair<const levin_option*, uint32_t> table_of(const std::array<levin_option, N>& options) {
  return {options.data(), static_cast<uint32_t>(N)};
}

}  // namespace common
