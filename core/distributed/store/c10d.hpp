// LibTorch's process groups; differences between LibTorch versions are handled here. Including it costs some seconds of
// compile time.
#pragma once
#include <torch/version.h>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/csrc/distributed/c10d/Work.hpp>

#include <exception>
#include <string>

#include "core/distributed/store/store.hpp"

namespace levin::core {

// The class with the collectives: Backend since LibTorch 2.0, ProcessGroup before.
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

// Aborts running collectives on a GPU, if this LibTorch version supports it.
template <class Group>
auto abort_collectives(Group& group, int /*preferred*/) -> decltype(static_cast<void>(group.abort())) {
  try {
    group.abort();
  } catch (const std::exception&) {  // the process ends anyway
  }
}
template <class Group>
void abort_collectives(Group&, long) {}

// The LibTorch store behind Store.
struct Store::Impl {
  c10::intrusive_ptr<c10d::Store> store;
  int port = 0;        // at which this process serves the store; 0 = it does not
  int place_port = 0;  // port of the process that serves the store
};

}  // namespace levin::core
