// What a process group goes over: Gloo, NCCL or MPI beside it, and memory that the processes share. For sources of this
// folder.
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
  // Whether reductions of it go through shared memory.
  bool shares(const at::Tensor& tensor) const;
  // begins: gives the carrier its work. finish: what is left after it.
  using Begins = std::function<c10::intrusive_ptr<c10d::Work>(C10dGroup& group)>;
  std::unique_ptr<Work> start(const char* call, const at::Tensor& tensor, const Carrier& by, const Begins& begins,
                              std::function<void()> finish);
  void reduce_in_memory(const at::Tensor& tensor, NodeReduction reduction);

  ProcessGroupOptions options;
  Carrier gloo, chosen;  // chosen: NCCL or MPI, or nothing
  std::unique_ptr<Messages> messages;
  std::unique_ptr<SharedMemory> memory;  // nullptr: not used
  ReductionChoice choice;
  bool always_memory = false;
  TimeLimit memory_limit;
  CollectiveLine* line = nullptr;  // of options.collective_log

 private:
  void forget_done();
  bool is_done();

  std::vector<c10::intrusive_ptr<c10d::Work>> open_;  // what may not be done yet
};

}  // namespace levin::core
