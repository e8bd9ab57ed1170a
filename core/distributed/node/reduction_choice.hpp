// Which way reductions among the ranks of a node go: measured, not assumed.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/distributed/node/shared_memory.hpp"

namespace levin::core {

// The time of one all-reduce, at rank 0.
struct ReductionTime {
  int64_t bytes;
  double shared_us;
  double other_us;
};

struct ReductionChoice {
  std::vector<ReductionTime> times;  // by bytes, ascending; empty: shared memory is not used

  // Whether a tensor of this size goes through shared memory. The same on all ranks.
  bool shared(int64_t bytes) const;
  // One line for the log: "shared memory: 4 KB in 3 us (other: 160 us), ...".
  std::string text() const;
};

// Called by all ranks of the node together. `other` reduces a tensor in place over the same ranks. Takes some tens of
// milliseconds. If the memory is not usable, `other` is not called.
ReductionChoice measure_reductions(SharedMemory& memory, const std::function<void(at::Tensor&)>& other);

}  // namespace levin::core
