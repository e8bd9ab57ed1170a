// The optional transports beside Gloo. Each is a library of its own, because it depends on libraries that LibTorch's
// core does not need. For sources of this folder's parent.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "core/distributed/store/c10d.hpp"

namespace levin::core {

struct TransportPlace {
  c10::intrusive_ptr<c10d::Store> store;  // for this group alone
  std::vector<int> ranks;                 // the global rank of each member
  int rank = 0;                           // in the group
  std::chrono::milliseconds timeout{0};
};

// The function that each library exports. The caller owns the returned group. Throws std::exception with the reason.
// Collective among all members.
using MakeTransport = C10dGroup* (*)(const TransportPlace& place);
constexpr const char* make_transport_symbol = "levin_make_transport";

// Loads the library of a transport. name: "nccl" or "mpi". Throws std::runtime_error with the reason, for example a
// missing library.
MakeTransport load_transport(const std::string& name);

}  // namespace levin::core
