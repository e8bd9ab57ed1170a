// Chooses the transport of reductions among the ranks of a node by measurement.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "transports/node/shared_memory.hpp"

namespace levin::core {

// The time of one all-reduce on rank 0.
struct ReductionTime {
  int64_t bytes;
  double shared_us;
  double other_us;
};

struct ReductionChoice {
  std::vector<ReductionTime> times;  // by bytes, ascending; empty = shared memory is not used

  // Returns true if a tensor of this size goes through shared memory. The same on all ranks.
  bool shared(int64_t bytes) const;
  // Returns one line for the log: "shared memory: 4 KB in 3 us (other: 160 us), ...".
  std::string text() const;
};

// Measures both transports. Called by all ranks of the node together. `other` all-reduces a tensor in place over the
// same ranks; it is not called if the memory is not usable. Takes some tens of milliseconds.
ReductionChoice measure_reductions(SharedMemory& memory, const std::function<void(const at::Tensor&)>& other);

}  // namespace levin::core
