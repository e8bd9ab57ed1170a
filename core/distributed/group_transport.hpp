// The transports of a process group: Gloo, optionally NCCL or MPI, and shared memory. For sources of this folder.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "core/distributed/messages.hpp"
#include "core/distributed/node/reduction_choice.hpp"
#include "core/distributed/pending_work.hpp"
#include "core/distributed/process_group.hpp"
#include "core/distributed/store/time_limit.hpp"
#include "core/distributed/wire.hpp"

namespace levin::core {

struct ProcessGroup::Transport {
  explicit Transport(ProcessGroupOptions given);
  ~Transport();

  struct Carrier {
    c10::intrusive_ptr<C10dGroup> group;
    Wire wire;
    bool polled = false;
  };

  Begun begin(const char* call, const at::Tensor& tensor);
  const Carrier& carrier(const at::Tensor& tensor) const;
  // Returns true if reductions of this tensor go through shared memory.
  bool shares(const at::Tensor& tensor) const;
  // begins: starts the collective on the carrier. finish: runs after the collective has completed.
  using Begins = std::function<c10::intrusive_ptr<c10d::Work>(C10dGroup& group)>;
  std::unique_ptr<Work> start(const char* call, const at::Tensor& tensor, const Carrier& by, const Begins& begins,
                              std::function<void()> finish);
  void reduce_in_memory(const at::Tensor& tensor, NodeReduction reduction);

  ProcessGroupOptions options;
  Carrier gloo, chosen;  // chosen: NCCL, MPI or empty
  std::unique_ptr<Messages> messages;
  std::unique_ptr<SharedMemory> memory;  // nullptr = not used
  ReductionChoice choice;
  bool always_memory = false;
  TimeLimit memory_limit;
  CollectiveLine* line = nullptr;  // this group's line in options.collective_log

 private:
  void forget_done();
  bool is_done();

  std::vector<c10::intrusive_ptr<c10d::Work>> open_;  // collectives that may still be running
};

}  // namespace levin::core
