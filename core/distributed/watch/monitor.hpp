// Watches the other processes of a run, on a thread of its own and beside their collectives: each process says again
// and again in the store that it lives and in which call it is. One that is gone, does not answer or keeps the others
// waiting is named, with its machine, its process and its last call. Each is watched from when it has come, so also
// while others are missing.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/cluster/world.hpp"
#include "core/distributed/store/process_clock.hpp"
#include "core/distributed/store/store.hpp"
#include "core/distributed/watch/collective_log.hpp"
#include "core/distributed/watch/duplicate_warnings.hpp"
#include "core/distributed/watch/peer.hpp"

namespace levin::core {

class Monitor {
 public:
  // self: of this process. store: for the monitor alone. collective_log: of this process. duplicate_warnings: closed at
  // the end; may be nullptr. Made on the thread that trains.
  Monitor(const World& world, const Peer& self, std::unique_ptr<Store> store, CollectiveLog& collective_log,
          std::shared_ptr<DuplicateWarnings> duplicate_warnings, std::function<void(const std::string&)> warn);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  // Throws Error{processes} if a process is known to be lost. Any thread may call these.
  void check();
  bool all_well();
  // Whether the reason is that the processes wait for each other, and none of them has failed before.
  bool in_deadlock();
  // Whether the reason says where the run was: as the process that failed has said it, or of each process.
  bool reason_has_place();
  // A collective failed: waits shortly for the reason, and throws it if it comes.
  void explain();
  // This process fails, for a reason of its own: the others are told, unless one of them was first.
  void say_failed(const std::string& text);
  // This process has done its part, and ends.
  void say_left();
  // Until all others are gone or have done their part, or the time is over.
  void wait_for_others(std::chrono::milliseconds most);
  // The same of the first process.
  void wait_for_first(std::chrono::milliseconds most);

 private:
  using Time = ProcessClock::duration;
  struct Seen {
    std::string beat, place;  // as last read
    Time changed{0};          // when the beat was another than before
    bool watched = false, left = false, warned_silent = false;
    std::string warned_late;  // the call of which was said that others wait for it
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
  const std::function<void(const std::string&)> warn_;
  const pid_t training_thread_;
  ProcessClock clock_;
  std::atomic<Time> answered_{Time(0)};  // when the store last did
  std::vector<Seen> seen_;
  CollectiveLog& collective_log_;
  const std::shared_ptr<DuplicateWarnings> duplicate_warnings_;
  nlohmann::json warned_;  // what this process has said of its collective_log; null: nothing yet
  Time next_look_{0};
  int64_t beats_ = 0;
  Time beaten_{0};
  bool waiting_ = false;     // the training thread waits for others, and has for a while
  std::mutex mutex_;         // of the rest, and of the places that were read
  std::vector<Peer> peers_;  // by rank; written by one thread
  std::condition_variable changed_;
  std::string lost_;  // what is known of the first process that is lost
  bool stopped_ = false, ended_ = false, all_left_ = false, in_deadlock_ = false, lost_has_place_ = false;
  std::thread thread_, store_thread_;  // last: they use the rest
};

}  // namespace levin::core
