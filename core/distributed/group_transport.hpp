// The transports of a process group: Gloo, and those that were loaded beside it. For sources of this folder.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/distributed/messages.hpp"
#include "core/distributed/pending_work.hpp"
#include "core/distributed/process_group.hpp"
#include "core/distributed/store/time_limit.hpp"
#include "core/distributed/transports/transport.hpp"

namespace levin::core {

struct ProcessGroup::Transports {
  explicit Transports(ProcessGroupOptions given);
  ~Transports();

  // Loads a transport. Throws Error{usage} with the reason if it cannot be used.
  void load(const std::string& name, TransportPlace place);
  Begun begin(const char* call, const at::Tensor& tensor);
  // Chooses the transport of a collective: the first one loaded that carries the tensor, else Gloo.
  const Transport& carrier(const at::Tensor& tensor, bool all_reduces = false) const;
  // begins: starts the collective on the carrier. finish: runs after the collective has completed.
  using Begins = std::function<c10::intrusive_ptr<c10d::Work>(C10dGroup& group)>;
  std::unique_ptr<Work> start(const char* call, const at::Tensor& tensor, const Transport& by, const Begins& begins,
                              std::function<void()> finish);

  ProcessGroupOptions options;
  Transport gloo;
  std::vector<std::pair<std::string, Transport>> loaded;  // by name
  std::unique_ptr<Messages> messages;
  CollectiveLine* line = nullptr;  // this group's line in options.collective_log

 private:
  void forget_done();
  bool is_done();

  TimeLimit limit_;                                   // of a collective that blocks
  std::vector<c10::intrusive_ptr<c10d::Work>> open_;  // collectives that may still be running
};

}  // namespace levin::core
