// What carries tensors beside Gloo: each is a library of its own, as it needs others than LibTorch's core has. For
// sources of this folder's parent.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "core/distributed/store/c10d.hpp"

namespace levin::core {

struct TransportPlace {
  c10::intrusive_ptr<c10d::Store> store;  // of this group alone
  std::vector<int> ranks;                 // of the run, of each member
  int rank = 0;                           // in the group
  std::chrono::milliseconds timeout{0};
};

// The function of each library. The caller owns the group. Throws std::exception with the reason. Collective, of all
// members.
using MakeTransport = C10dGroup* (*)(const TransportPlace& place);
constexpr const char* make_transport_symbol = "levin_make_transport";

// name: "nccl" or "mpi". Throws std::runtime_error with the reason, as where there is no such library.
MakeTransport load_transport(const std::string& name);

}  // namespace levin::core
