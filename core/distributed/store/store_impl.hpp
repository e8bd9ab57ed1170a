// LibTorch's store behind ours, for sources of this folder.
#pragma once
#include "core/distributed/store/c10d.hpp"
#include "core/distributed/store/store.hpp"

namespace levin::core {

struct Store::Impl {
  c10::intrusive_ptr<c10d::Store> store;
  int port = 0;        // at which this process serves it
  int place_port = 0;  // of whoever serves it
};

}  // namespace levin::core
