// The processes of a run after rendezvous: world, store, and the group of all processes. A run of one process has
// neither store nor transport, and its collectives do nothing.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/config/trainer/trainer_enums.hpp"
#include "core/distributed/launcher_channel.hpp"
#include "core/distributed/process_group.hpp"
#include "core/distributed/watch/monitor.hpp"

namespace levin::core {

struct RendezvousOptions {
  std::string init_method = "env://";
  std::string interface;                              // network interface to listen on; "" = the one towards rank 0
  std::chrono::milliseconds timeout{30 * 60 * 1000};  // of collectives
  std::chrono::milliseconds rendezvous_timeout{5 * 60 * 1000};  // until all processes have arrived
  std::shared_ptr<DuplicateWarnings> duplicate_warnings;        // nullptr = warnings of all ranks are shown
  // Returns the signal that asks this process to stop, or 0. Polled during rendezvous, from when the other processes
  // can be notified until all have arrived.
  std::function<int()> asked_to_stop = [] { return 0; };
};

// Thrown if a process was asked to stop before all had arrived.
struct RendezvousStopped {
  int signal;
};

class Processes {
 public:
  Processes() = default;  // a run of one process
  // Waits for the other processes. Construct it on the training thread. warn may be called on any thread. Throws
  // Error{usage|processes} and RendezvousStopped.
  Processes(World world, const RendezvousOptions& options, Warn warn);
  ~Processes();  // reports that this process has finished; rank 0 waits for the others, and they wait for rank 0

  const World& world() const { return world_; }
  ProcessGroup& group() { return *group_; }
  ProcessGroup& control() { return *control_; }  // for the host's own collectives that run beside those of training
  // Selects the back end for tensors of this device, except those of control(). auto: NCCL between GPUs if all
  // processes support it. Returns a warning, or "". Collective. Throws Error{usage} if a back end that was asked for
  // cannot be used.
  std::string choose_backend(ProcessGroupBackend backend, at::DeviceType device);
  // Returns another group of all processes, for collectives that run beside the others. Collective.
  std::unique_ptr<ProcessGroup> new_group(const std::string& name);
  // Returns a group of these ranks, in this order, or nullptr if this process is not one of them. Collective among
  // these ranks. name: unique in the run.
  std::unique_ptr<ProcessGroup> new_group(const std::string& name, std::vector<int> ranks);
  Store* store() { return store_.get(); }  // nullptr = one process
  // Returns true if no process is known to be lost.
  bool whole() const { return !monitor_ || monitor_->all_well(); }
  // Returns true if the message about a lost process says where the run was.
  bool reason_has_place() const { return monitor_ && monitor_->reason_has_place(); }
  // Reports the failure of this process: the others learn the reason, and their collectives fail instead of waiting.
  void failed(const Error& error);
  // Sets the function that describes where the run is, for messages. It is called on the training thread. nullptr =
  // unknown.
  void set_place(std::function<std::string()> place) { place_ = std::move(place); }
  LauncherChannel& launcher() { return launcher_; }
  const std::string& address() const { return address_; }  // of this machine

  // Throws Error{usage} if a process's text differs from rank 0's, with the rank and what `difference` returns for the
  // two texts. Collective. what: names the text, such as "options".
  void check_same(const std::string& what, const std::string& mine,
                  const std::function<std::string(const std::string& first, const std::string& mine)>& difference);
  // Returns rank 0's text. Collective.
  std::string of_first(const std::string& mine);

  std::string reductions;  // the transports chosen for reductions and their measurements; for the log

 private:
  void meet(const RendezvousOptions& options, Warn warn);
  void meet_others(const RendezvousOptions& options, Warn warn);
  void open_stores(const RendezvousOptions& options);
  void come_to_store(const RendezvousAddress& place, const RendezvousOptions& options);
  void meet_in_file(const std::string& file, const RendezvousOptions& options);
  std::string start_transport(const std::string& name);  // returns why it cannot be used, or ""
  std::optional<std::string> wait_for(int rank, const RendezvousOptions& options);
  void wait_for_all(const RendezvousOptions& options);
  void look_whether_stopped(const RendezvousOptions& options);
  void heed_earlier_stop() const;

  World world_;
  std::chrono::milliseconds timeout_{0};
  std::string transport_;  // beside Gloo; "" = none
  LauncherChannel launcher_{LauncherChannel::inherited()};
  std::string address_ = "127.0.0.1";
  std::unique_ptr<Store> store_, monitor_store_;
  CollectiveLog collective_log_;
  std::function<std::string()> place_;
  std::unique_ptr<Monitor> monitor_;
  std::unique_ptr<ProcessGroup> group_ = std::make_unique<ProcessGroup>();
  std::unique_ptr<ProcessGroup> control_ = std::make_unique<ProcessGroup>();
};

}  // namespace levin::core
