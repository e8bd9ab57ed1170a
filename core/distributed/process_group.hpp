// A group of processes and the collectives among them: each is called by all processes of the group, in the same order.
// Transport is LibTorch's: Gloo, and beside it NCCL or MPI. A group of one process needs none of it.
#pragma once
#include <ATen/core/Tensor.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/distributed/store/store.hpp"
#include "core/distributed/watch/collective_log.hpp"

namespace levin::core {

enum class ReduceOp { sum, mean, max, min };

// A collective that is under way. Its tensors may be used after wait().
class Work {
 public:
  virtual ~Work() = default;
  virtual void wait() = 0;  // throws Error{processes} if another process is gone
  virtual bool done() = 0;
};

struct ProcessGroupOptions {
  std::string address = "127.0.0.1";  // of this machine, on which the group listens
  std::chrono::milliseconds timeout{30 * 60 * 1000};
  // Called before each collective, and about twice a second while one waits for others. May throw, which ends it.
  std::function<void()> while_waiting = [] {};
  // Called when a collective has failed. May throw what is known of the reason.
  std::function<void()> explain = [] {};
  CollectiveLog* collective_log =
      nullptr;  // where collectives and messages are noted, in which the group has this name
  std::string collective_log_name;
};

// All methods throw Error{processes} if another process is gone or the timeout is over. Tensors may be on any device
// and of any layout; what a collective changes, it changes in place.
class ProcessGroup {
 public:
  ProcessGroup();  // of this process alone
  // name: of the group, unique among those that use the store.
  ProcessGroup(Store& store, const std::string& name, std::vector<int> ranks, int rank, ProcessGroupOptions options);
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  int rank() const { return rank_; }  // in this group
  int size() const { return static_cast<int>(ranks_.size()); }
  const std::vector<int>& ranks() const { return ranks_; }  // of the run, of each member

  // From now on collectives go by NCCL ("nccl"; of tensors on GPUs) or MPI ("mpi"; of all), but for messages.
  // Collective. Throws Error{usage} with the reason why they cannot.
  void use_transport(Store& store, const std::string& name, const std::string& transport);
  // From now on reductions of tensors on the CPU go through memory that the processes share, where that is faster: at
  // all sizes if `always`. Returns what was found, as a line for people. Collective, of processes of one machine.
  std::string use_shared_memory(Store& store, const std::string& name, bool always);

  void all_reduce(const at::Tensor& tensor, ReduceOp op);
  std::unique_ptr<Work> all_reduce_async(const at::Tensor& tensor, ReduceOp op);
  // Whether that call itself waits for the others, as one through shared memory does.
  bool waits_at_once(const at::Tensor& tensor) const;
  void broadcast(const at::Tensor& tensor, int root);
  void reduce(const at::Tensor& tensor, int root, ReduceOp op);  // elsewhere than on the root the tensor is undefined
  // One tensor of each process, all of one shape.
  std::vector<at::Tensor> all_gather(const at::Tensor& tensor);
  std::vector<at::Tensor> gather(const at::Tensor& tensor, int root);  // empty elsewhere than on the root
  // parts: of the root, one for each process. Writes this process's part.
  void scatter(const at::Tensor& out, const std::vector<at::Tensor>& parts, int root);
  // Reduces parts[r] of all processes into the `out` of process r.
  void reduce_scatter(const at::Tensor& out, const std::vector<at::Tensor>& parts, ReduceOp op);
  // The same, of which wait() waits for the end. What they are given and what they fill must not change before.
  std::unique_ptr<Work> broadcast_async(const at::Tensor& tensor, int root);
  std::unique_ptr<Work> reduce_async(const at::Tensor& tensor, int root, ReduceOp op);
  std::unique_ptr<Work> all_gather_async(const at::Tensor& tensor, std::vector<at::Tensor>& out);
  std::unique_ptr<Work> scatter_async(const at::Tensor& out, const std::vector<at::Tensor>& parts, int root);
  std::unique_ptr<Work> reduce_scatter_async(const at::Tensor& out, const std::vector<at::Tensor>& parts, ReduceOp op);
  // Messages of one sender, receiver and tag arrive in the order of the calls. A tensor of another shape or type than
  // the one that is sent is an Error{usage} of the receiver.
  std::unique_ptr<Work> send(const at::Tensor& tensor, int to, int tag);
  std::unique_ptr<Work> receive(const at::Tensor& tensor, int from, int tag);
  void barrier();
  std::unique_ptr<Work> barrier_async();
  std::vector<std::string> all_gather_bytes(const std::string& bytes);

 private:
  struct Transport;
  bool is_idle(const at::Tensor& tensor) const;

  int rank_ = 0;
  std::vector<int> ranks_{0};
  std::unique_ptr<Transport> transport_;  // nullptr: one process
};

}  // namespace levin::core
