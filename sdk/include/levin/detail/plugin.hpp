// LEVIN_PLUGIN(id, version, license, component...): the entry point of a plugin and the note in its file. Once per
// library.
#pragma once
#include <cstddef>

#include "levin/error.hpp"
#if defined(LEVIN_WITH_TORCH)
#include <torch/version.h>
#endif

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

#if defined(LEVIN_WITH_TORCH)
const levin_torch_abi* torch_abi();  // levin/torch/tensor.hpp
#else
inline const levin_torch_abi* torch_abi() { return nullptr; }
#endif

template <size_t N>
const levin_plugin* plugin(const char* id, const char* version, const char* license, levin_component (&components)[N]) {
  static const levin_component* pointers[N];
  for (size_t i = 0; i < N; ++i) {
    if (!components[i].version) components[i].version = version;
    pointers[i] = &components[i];
  }
  static const levin_plugin p = {
      sizeof(levin_plugin), LEVIN_ABI_MAJOR, LEVIN_ABI_MINOR, 0, id, version, license, "", torch_abi(), pointers, N};
  return &p;
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop

#if defined(LEVIN_WITH_TORCH)
#define LEVIN_NOTE_TORCH \
  "torch=" LEVIN_TEXT(TORCH_VERSION_MAJOR) "." LEVIN_TEXT(TORCH_VERSION_MINOR) "\0" \
    "cxx11abi=" LEVIN_TEXT(_GLIBCXX_USE_CXX11_ABI) "\0stdlib=libstdc++\0"
#else
#define LEVIN_NOTE_TORCH "torch=none\0"
#endif

#define LEVIN_PLUGIN(id, version, license, ...)                                                \
  LEVIN_NOTE(LEVIN_NOTE_ABI "id=" id "\0version=" version "\0" LEVIN_NOTE_TORCH);              \
  extern "C" LEVIN_EXPORT const levin_plugin* levin_plugin_v0(const levin_host* host) {        \
    try {                                                                                      \
      static levin_component components[] = {__VA_ARGS__};                                     \
      return ::levin::detail::plugin(id, version, license, components);                        \
    } catch (...) {                                                                            \
      host->fail(host, LEVIN_E_EXCEPTION, "the description of the plugin threw an exception"); \
      return nullptr;                                                                          \
    }                                                                                          \
  }
