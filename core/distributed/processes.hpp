// The processes of a run, met: their world, their store, and the group of all of them. A run of one process has neither
// a store nor a transport, and its collectives do nothing.
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
  std::string interface;  // of the network, on which everything listens; "": the one on the way to the first process
  std::chrono::milliseconds timeout{30 * 60 * 1000};            // of collectives
  std::chrono::milliseconds rendezvous_timeout{5 * 60 * 1000};  // until all processes are there
  std::shared_ptr<DuplicateWarnings> duplicate_warnings;  // of the warnings that are shown once; nullptr: none are
  // Called once the others can be told of a signal, and then again and again until all are there: the signal that asks
  // this process to stop, or 0.
  std::function<int()> asked_to_stop = [] { return 0; };
};

// One of the processes was asked to stop before all were there.
struct RendezvousStopped {
  int signal;
};

class Processes {
 public:
  Processes() = default;  // one process
  // Made on the thread that trains. Waits for the others. warn is called on any thread. Throws Error{usage|processes},
  // and RendezvousStopped.
  Processes(World world, const RendezvousOptions& options, std::function<void(const std::string&)> warn);
  ~Processes();  // tells the others that this one has done its part; the first one waits for them, and they for it

  const World& world() const { return world_; }
  ProcessGroup& group() { return *group_; }
  ProcessGroup& control() { return *control_; }  // for what the host agrees on while other collectives run
  // From now on tensors of this device go by this back end, but for those of control(); auto: between GPUs by NCCL,
  // where all processes can. Returns a warning, or nothing. Collective. Throws Error{usage} if a back end that was
  // asked for cannot be used.
  std::string choose_backend(ProcessGroupBackend backend, at::DeviceType device);
  // Another group of all of them, for collectives that run beside the others. Collective.
  std::unique_ptr<ProcessGroup> new_group(const std::string& name);
  // A group of some of them, in this order. Collective for these; nullptr for the others. name: unique in the run.
  std::unique_ptr<ProcessGroup> new_group(const std::string& name, std::vector<int> ranks);
  Store* store() { return store_.get(); }  // nullptr: one process
  // Whether no process is known to be lost.
  bool whole() const { return !monitor_ || monitor_->all_well(); }
  // Whether the words about a lost process say where the run was.
  bool reason_has_place() const { return monitor_ && monitor_->reason_has_place(); }
  // This process fails: the others learn why, and collectives fail from now on instead of waiting for them.
  void failed(const Error& error);
  // Says where the run is, for people; called on the thread that trains. nullptr: nobody can say it.
  void set_place(std::function<std::string()> place) { place_ = std::move(place); }
  LauncherChannel& launcher() { return launcher_; }
  const std::string& address() const { return address_; }  // of this machine

  // Throws Error{usage} if a process says something else than the first one, with the rank and what `difference` finds
  // between both texts. Collective. what: "options".
  void check_same(const std::string& what, const std::string& mine,
                  const std::function<std::string(const std::string& first, const std::string& mine)>& difference);
  // What the first process says. Collective.
  std::string of_first(const std::string& mine);

  std::string reductions;  // what was found of the ways that they may go; for the log

 private:
  void meet(const RendezvousOptions& options, std::function<void(const std::string&)> warn);
  void meet_others(const RendezvousOptions& options, std::function<void(const std::string&)> warn);
  void open_stores(const RendezvousOptions& options);
  void come_to_store(const RendezvousAddress& place, const RendezvousOptions& options);
  void meet_in_file(const std::string& file, const RendezvousOptions& options);
  std::string start_transport(const std::string& name);  // why it cannot be had, or ""
  std::optional<std::string> wait_for(int rank, const RendezvousOptions& options);
  void wait_for_all(const RendezvousOptions& options);
  void look_whether_stopped(const RendezvousOptions& options);
  void heed_earlier_stop() const;

  World world_;
  std::chrono::milliseconds timeout_{0};
  std::string transport_;  // beside Gloo; "": none
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
