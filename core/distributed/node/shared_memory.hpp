// Collectives among the processes of one machine, through memory that they share. For tensors on the CPU.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <string>

#include "core/distributed/node/node_barrier.hpp"
#include "core/distributed/node/reduction_kernels.hpp"
#include "core/distributed/node/shared_segment.hpp"

namespace levin::core {

struct SharedMemoryOptions {
  SegmentExchange exchange;             // keys are used once: another SharedMemory needs other keys
  std::function<void()> while_waiting;  // throws if a rank is known to be lost; called about ten times a second
  int64_t bytes = 16 << 20;             // at most, for all ranks together; larger tensors go through it in parts
};

// Made by all ranks of a node together; all of them call the same methods in the same order, each from one thread at a
// time; a second thread that reduces meanwhile needs a SharedMemory of its own. Results are the same bits on all ranks
// and from run to run: ranks are added in their order.
class SharedMemory {
 public:
  explicit SharedMemory(SharedMemoryOptions options);

  // False if this machine cannot do it, on all ranks alike. Then the collectives throw Error{internal}.
  bool usable() const { return reason_.empty(); }
  const std::string& reason() const { return reason_; }

  // In place. The tensor is contiguous, on the CPU, and of the same type and number of elements on all ranks: a
  // difference is an Error{run} on all of them. See reduce_into for the types. After anything has thrown, usable() is
  // false.
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
  char* slots_ = nullptr;     // behind it
  int half_ = 0;              // which half of the slots is in use
};

}  // namespace levin::core
