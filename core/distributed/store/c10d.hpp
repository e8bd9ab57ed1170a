// LibTorch's process groups, whatever its version: what differs between versions is here. For sources that use them;
// costs some seconds to compile.
#pragma once
#include <torch/version.h>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/csrc/distributed/c10d/Work.hpp>

#include <exception>
#include <string>

namespace levin::core {

// What has the collectives: since 2.0 a back end, and before that a process group itself.
#if TORCH_VERSION_MAJOR >= 2
using C10dGroup = c10d::Backend;
#else
using C10dGroup = c10d::ProcessGroup;
#endif

// Debian's LibTorch 2.6 is built without libuv.
inline void use_plain_sockets(c10d::TCPStoreOptions& options) {
#if TORCH_VERSION_MAJOR >= 2
  options.useLibUV = false;
#else
  (void)options;
#endif
}

// Ends collectives that are under way on a GPU, where the version can.
template <class Group>
auto abort_collectives(Group& group, int /*preferred*/) -> decltype(static_cast<void>(group.abort())) {
  try {
    group.abort();
  } catch (const std::exception&) {  // the process ends anyway
  }
}
template <class Group>
void abort_collectives(Group&, long) {}

}  // namespace levin::core
