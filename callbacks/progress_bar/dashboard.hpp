// The run's side of the dashboard (host/watch/dashboard.hpp): tells it how far the run is, and does what its keys ask
// for. LEVIN_DASHBOARD names the socket of the host that has the terminal.
//
// A message to the host is lines of "name<TAB>value"; "metric<TAB>name<TAB>value" is a metric. A message from the host
// is one character: s = save now, p = pause, c = continue.
#pragma once
#include <cstdint>
#include <string>

#include "bar.hpp"
#include "levin/run.hpp"

namespace levin::progress_bar {

// The connection. A host that reads slowly or has gone never blocks the run.
class DashboardLink {
 public:
  DashboardLink() = default;
  ~DashboardLink();
  DashboardLink(const DashboardLink&) = delete;
  DashboardLink& operator=(const DashboardLink&) = delete;

  bool connect(const std::string& name);
  bool open() const { return socket_ >= 0; }
  void send(const std::string& message);
  // Returns the next message of the host; '\0' = there is none.
  char take();
  // Blocks until a message comes, at most for the time.
  void wait(int milliseconds) const;

 private:
  void close();
  int socket_ = -1;
};

class Dashboard {
 public:
  // Connects rank 0 if a host has the terminal. Returns true if the progress is shown there.
  bool connect(bool is_first_process);
  bool open() const { return link_.open(); }
  void show(const Run& run, const Progress& progress);
  // Saves and pauses where the keys ask for it. Every rank calls it before each batch of the training, when all
  // callbacks have done their part of the last one. Several ranks meet in an all-reduce about twice a second, so that
  // they do both before the same batch.
  void before_batch(const Run& run, double batches_per_second);

 private:
  struct Keys {
    bool save, pause;
  };
  void read_keys();
  Keys meet(const Run& run, double batches_per_second);
  void save(const Run& run);

  DashboardLink link_;
  bool save_ = false, paused_ = false, shows_pause_ = false;  // of this rank
  bool several_ = true;                                       // ranks; not known before the first batch
  int64_t batches_to_meeting_ = 0;
  double read_memory_at_ = 0, look_at_ = 0;
  std::string memory_, note_;
};

}  // namespace levin::progress_bar
