// How messages name a rank and its process.
#pragma once
#include <string>

namespace levin::core {

// Returns "rank 1 (host vm, pid 8686)".
inline std::string rank_label(int rank, const std::string& host, long process) {
  return "rank " + std::to_string(rank) + " (host " + host + ", pid " + std::to_string(process) + ")";
}

}  // namespace levin::core
