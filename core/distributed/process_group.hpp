// A group of processes and its collectives. All processes of the group must call each collective, in the same order.
// LibTorch transfers the data over Gloo, and optionally over NCCL or MPI. A group of one process needs no transport.
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

struct TransportPlace;

enum class ReduceOp { sum, mean, max, min };

// A running collective. Its tensors may be used after wait().
class Work {
 public:
  virtual ~Work() = default;
  virtual void wait() = 0;  // throws Error{processes} if another process is gone
  virtual bool done() = 0;
};

struct ProcessGroupOptions {
  std::string address = "127.0.0.1";  // address of this machine on which the group listens
  std::chrono::milliseconds timeout{30 * 60 * 1000};
  // Called before each collective, and about twice a second while a collective waits. An exception ends the collective.
  std::function<void()> while_waiting = [] {};
  // Called when a collective has failed. May throw an error with the known reason.
  std::function<void()> explain = [] {};
  // The log of collectives and messages, and this group's name in it. nullptr = no log.
  CollectiveLog* collective_log = nullptr;
  std::string collective_log_name;
};

// All methods throw Error{processes} if another process is gone or the timeout has passed. Tensors may be on any device
// and of any layout. Results are written in place.
class ProcessGroup {
 public:
  ProcessGroup();  // a group of this process alone
  // name: unique among the groups that use the store.
  ProcessGroup(Store& store, const std::string& name, std::vector<int> ranks, int rank, ProcessGroupOptions options);
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  int rank() const { return rank_; }  // in this group
  int size() const { return static_cast<int>(ranks_.size()); }
  const std::vector<int>& ranks() const { return ranks_; }  // the global rank of each member

  // Switches collectives to NCCL ("nccl", for tensors on GPUs) or MPI ("mpi", for all tensors); messages stay on Gloo.
  // Collective. Throws Error{usage} with the reason if the transport cannot be used.
  void use_transport(Store& store, const std::string& name, const std::string& transport);
  void drop_transport(const std::string& transport);  // switches back
  // Returns why the transport cannot be used; "" = it can, as far as this process can tell.
  static std::string obstacle_to(const std::string& transport);
  // Switches reductions of CPU tensors to shared memory where it is faster, or at all sizes if `always`. Returns the
  // measurements as one line for the log. Collective; all processes must be on one machine.
  std::string use_shared_memory(Store& store, const std::string& name, bool always);

  void all_reduce(const at::Tensor& tensor, ReduceOp op);
  std::unique_ptr<Work> all_reduce_async(const at::Tensor& tensor, ReduceOp op);
  // Returns true if all_reduce_async() itself blocks until the other processes call it, as it does through shared
  // memory.
  bool waits_at_once(const at::Tensor& tensor) const;
  void broadcast(const at::Tensor& tensor, int root);
  // Returns one tensor of each process. All have the same shape.
  std::vector<at::Tensor> all_gather(const at::Tensor& tensor);
  // Reduces parts[r] of all processes into the `out` of process r.
  void reduce_scatter(const at::Tensor& out, const std::vector<at::Tensor>& parts, ReduceOp op);
  // The asynchronous versions. Inputs and outputs must not be used or changed before wait() returns.
  std::unique_ptr<Work> broadcast_async(const at::Tensor& tensor, int root);
  std::unique_ptr<Work> reduce_async(const at::Tensor& tensor, int root, ReduceOp op);  // undefined on other ranks
  std::unique_ptr<Work> all_gather_async(const at::Tensor& tensor, std::vector<at::Tensor>& out);
  // parts: on the root, one for each process. Writes this process's part into `out`.
  std::unique_ptr<Work> scatter_async(const at::Tensor& out, const std::vector<at::Tensor>& parts, int root);
  std::unique_ptr<Work> reduce_scatter_async(const at::Tensor& out, const std::vector<at::Tensor>& parts, ReduceOp op);
  // Messages of one sender, receiver and tag arrive in call order. The receiver throws Error{usage} if its tensor
  // differs from the sent one in shape or type.
  std::unique_ptr<Work> send(const at::Tensor& tensor, int to, int tag);
  std::unique_ptr<Work> receive(const at::Tensor& tensor, int from, int tag);
  void barrier();
  std::unique_ptr<Work> barrier_async();
  std::vector<std::string> all_gather_bytes(const std::string& bytes);
  // Collective questions about one value of each process. purpose: for messages, as in CollectiveLabel.
  int64_t largest(int64_t mine, const char* purpose);
  bool any(bool mine, const char* purpose) { return largest(mine ? 1 : 0, purpose) != 0; }
  bool all(bool mine, const char* purpose) { return !any(!mine, purpose); }

 private:
  struct Transports;
  bool is_idle(const at::Tensor& tensor) const;
  TransportPlace place_for(Store& store, const std::string& keys) const;

  int rank_ = 0;
  std::vector<int> ranks_{0};
  std::unique_ptr<Transports> transports_;  // nullptr = one process
};

}  // namespace levin::core
