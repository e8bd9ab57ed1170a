// Collectives on CPU tensors among the processes of one machine, through shared memory.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <string>

#include "transports/node/node_barrier.hpp"
#include "transports/node/reduction_kernels.hpp"
#include "transports/node/shared_segment.hpp"

namespace levin::core {

struct SharedMemoryOptions {
  SegmentExchange exchange;             // keys are used once: each SharedMemory needs its own
  std::function<void()> while_waiting;  // throws if a rank is known to be lost; called about ten times a second
  int64_t bytes = 16 << 20;             // limit for all ranks together; larger tensors are processed in parts
};

// All ranks of a node construct it together and call the same methods in the same order, from one thread at a time. A
// second thread that reduces concurrently needs a SharedMemory of its own. Results are bit-identical on all ranks and
// in every run, because ranks are added in rank order.
class SharedMemory {
 public:
  explicit SharedMemory(SharedMemoryOptions options);

  // Returns false, on all ranks alike, if this machine does not support it. The collectives then throw Error{internal}.
  bool usable() const { return reason_.empty(); }
  const std::string& reason() const { return reason_; }

  // In place. The tensor must be contiguous, on the CPU, and of the same type and number of elements on all ranks. If
  // these differ, all ranks throw Error{run}. Types: see reduce_into. After any exception, usable() is false.
  void all_reduce(const at::Tensor& tensor, NodeReduction reduction);
  void broadcast(const at::Tensor& tensor, int root);
  void barrier();

 private:
  struct Call;
  struct Layout;

  template <class Before, class After>
  void in_parts(const Call& call, int64_t total, int64_t part, const Before& before, const After& after);
  void require_usable() const;
  void check_calls() const;
  void reduce_part(char* mine, int64_t count, at::ScalarType type, NodeReduction reduction);
  char* slot(int rank) const;

  int rank_, size_;
  int64_t slot_bytes_ = 0;
  std::string reason_;
  std::unique_ptr<SharedSegment> segment_;
  std::unique_ptr<NodeBarrier> barrier_;
  Layout* layout_ = nullptr;  // in the segment
  char* slots_ = nullptr;     // after layout_
  int half_ = 0;              // the half of the slots in use
};

}  // namespace levin::core
