// The transports beside Gloo. Each is a library of its own, which is loaded for the runs that use it.
#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "core/distributed/store/c10d.hpp"
#include "core/distributed/transports/wire.hpp"

namespace levin::core {

struct TransportPlace {
  c10::intrusive_ptr<c10d::Store> store;  // for this group alone
  std::vector<int> ranks;                 // the global rank of each member
  int rank = 0;                           // in the group
  std::chrono::milliseconds timeout{0};
  // Called about ten times a second by calls that block. Throws if a process is lost or the timeout has passed.
  std::function<void()> while_waiting;
  // All-reduces a tensor by the transport used so far, for a transport that carries only what it carries faster. Empty
  // = it carries all that it can.
  std::function<void(const at::Tensor&)> other;
};

// What a library makes of a place.
struct Transport {
  c10::intrusive_ptr<C10dGroup> group;
  Wire wire;
  // Returns true if it carries this tensor, on all ranks alike.
  std::function<bool(const at::Tensor& tensor)> carries;
  bool only_all_reduces = false;  // has no other collectives
  bool blocks = false;  // a collective waits for the other ranks where it is called, and is complete when it returns
  std::string text;     // for the log
};

// The function that each library exports. Throws std::exception with the reason. Collective among all members.
using MakeTransport = void (*)(const TransportPlace& place, Transport& out);
constexpr const char* make_transport_symbol = "levin_make_transport";

// Loads the library of a transport. name: "nccl", "mpi" or "shared_memory". Throws std::runtime_error with the reason,
// for example a missing library.
MakeTransport load_transport(const std::string& name);

}  // namespace levin::core
