// The LibTorch store behind Store. For sources of this folder.
#pragma once
#include "core/distributed/store/c10d.hpp"
#include "core/distributed/store/store.hpp"

namespace levin::core {

struct Store::Impl {
  c10::intrusive_ptr<c10d::Store> store;
  int port = 0;        // at which this process serves the store; 0 = it does not
  int place_port = 0;  // port of the process that serves the store
};

}  // namespace levin::core
