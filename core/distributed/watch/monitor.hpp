// Watches the other processes of a run on a thread of its own, beside their collectives. Each process writes a
// heartbeat and its current call to the store. A process that is gone, silent or late is reported with its machine,
// process id and last call. A process is watched from its arrival, also while others are still missing.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.hpp"
#include "core/cluster/world.hpp"
#include "core/distributed/store/store.hpp"
#include "core/distributed/store/time_limit.hpp"
#include "core/distributed/watch/collective_log.hpp"
#include "core/distributed/watch/duplicate_warnings.hpp"

namespace levin::core {

// What a process writes about itself to the store when it arrives at the rendezvous.
struct Peer {
  std::string host;
  long process = 0;        // 0 = not arrived
  std::string world_size;  // as given by its launcher
  std::string machine;     // equal for processes that see each other's process ids
};

// Returns the entry of this process.
Peer own_peer(int world_size);

// Conversion to and from the text that the store keeps at peer_key().
std::string peer_key(int rank);
std::string text_of(const Peer& peer);
Peer peer_of(const std::string& text);

class Monitor {
 public:
  // self: this process. store: used by the monitor alone. collective_log: this process's log. duplicate_warnings:
  // closed by the destructor; may be nullptr. Construct it on the training thread.
  Monitor(const World& world, const Peer& self, std::unique_ptr<Store> store, CollectiveLog& collective_log,
          std::shared_ptr<DuplicateWarnings> duplicate_warnings, Warn warn);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  // Throws Error{processes} if a process is known to be lost. This method and the following ones may be called on any
  // thread.
  void check();
  bool all_well();
  // Returns true if the run is lost because of a deadlock, and no process had failed before.
  bool in_deadlock();
  // Returns true if the error message says where the run was: in the failed process, or in each process.
  bool reason_has_place();
  // Called after a collective has failed. Waits up to 2.4 s for the reason, and throws it as Error{processes} if it
  // becomes known.
  void explain();
  // Reports that this process failed. The other processes receive the text, unless one of them failed first.
  void say_failed(const std::string& text);
  // Reports that this process has finished and is about to exit.
  void say_left();
  // Blocks until all others have finished or are lost, or the time has passed. For rank 0.
  void wait_for_others(std::chrono::milliseconds most);
  // Blocks until rank 0 has finished, a process is lost, or the time has passed.
  void wait_for_first(std::chrono::milliseconds most);

 private:
  using Time = ProcessClock::duration;
  struct Seen {
    std::string beat, place;  // as last read
    Time changed{0};          // when the beat last changed
    bool watched = false, left = false, warned_silent = false;
    std::string warned_late;  // the late call that was already warned about
  };
  void watch();
  void look();
  void hear_failure();
  std::optional<std::string> ask(const std::string& key);
  void say_alive();
  void look_at(int rank);
  bool has_come(int rank, Seen& seen);
  void look_at_process(int rank, Seen& seen);
  void look_at_beat(int rank, Seen& seen);
  void look_for_late();
  void watch_store();
  void look_at_store(bool& told);
  Time turn_to_look() const;
  void look_for_deadlock();
  void lose(const std::string& text, bool has_place = false);
  std::string name(int rank, bool with_last_call = true);

  const World world_;
  const std::unique_ptr<Store> store_;
  const Warn warn_;
  const pid_t training_thread_;
  ProcessClock clock_;
  std::atomic<Time> answered_{Time(0)};  // time of the store's last answer
  std::vector<Seen> seen_;
  CollectiveLog& collective_log_;
  const std::shared_ptr<DuplicateWarnings> duplicate_warnings_;
  nlohmann::json warned_;  // the last report of collective_log_ that was published; null = none
  Time next_look_{0};
  int64_t beats_ = 0;
  Time beaten_{0};
  bool waiting_ = false;     // the training thread has waited for others for at least 1.5 s
  std::mutex mutex_;         // guards the members below, and Seen::place
  std::vector<Peer> peers_;  // by rank; written by thread_ only
  std::condition_variable changed_;
  std::string lost_;  // the first error; empty = none
  bool stopped_ = false, ended_ = false, all_left_ = false, in_deadlock_ = false, lost_has_place_ = false;
  std::thread thread_, store_thread_;  // last, because they use the other members
};

}  // namespace levin::core
