#include "core/distributed/watch/monitor.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/abi/running_calls.hpp"
#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/cluster/rank_label.hpp"
#include "core/distributed/watch/collective_log.hpp"

namespace levin::core {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds every{300};
constexpr milliseconds silent_after{1500};  // so that a process is reported within two seconds
constexpr milliseconds said_after{1000};    // a process publishes its wait after this time
constexpr milliseconds read_time{20};       // time that reading one process's report may take on this thread
// Up to this many processes, each watches all others. Above, rank 0 watches all, and each other rank watches rank 0 and
// the next rank.
constexpr int all_watch_all = 16;
constexpr const char* waits_in = "waits ";

milliseconds lost_after() {
  static const milliseconds time = heartbeat_timeout();
  return time;
}

// Returns the current call of the thread, as tab-separated call, call number and seconds: "libx.so net.training_step",
// or "waits all_reduce". waits: seconds for which the thread has waited for other processes.
std::string place_of(pid_t thread, double& waits) {
  RunningCall calls[64];
  const size_t n = running_calls(calls, 64);
  waits = 0;
  for (size_t i = 0; i < n; ++i) {
    if (calls[i].thread != thread) continue;
    if (!calls[i].of_plugin()) waits = calls[i].seconds;
    const std::string what =
        calls[i].of_plugin() ? std::string(calls[i].plugin) + " " +
                                   (calls[i].instance[0] ? std::string(calls[i].instance) + "." : "") + calls[i].call
                             : waits_in + std::string(calls[i].call);
    return what + "\t" + std::to_string(calls[i].number) + "\t" + std::to_string(calls[i].seconds);
  }
  return "the trainer\t0\t0";
}

// Returns the process state: 'R', 'S', 'T' (stopped) and so on; 0 = there is no such process.
char state_of(long process) {
  const std::string path = "/proc/" + std::to_string(process) + "/stat";
  FILE* file = std::fopen(path.c_str(), "re");
  if (!file) return 0;
  char line[512] = {};
  const size_t n = std::fread(line, 1, sizeof line - 1, file);
  std::fclose(file);
  const std::string text(line, n);
  const size_t bracket = text.rfind(')');
  return bracket == std::string::npos || bracket + 2 >= text.size() ? 0 : text[bracket + 2];
}

std::string seconds_text(milliseconds time) { return std::to_string((time.count() + 500) / 1000) + " s"; }

std::string silent_text(milliseconds time) {
  return " has been silent for " + seconds_text(time) + ": it is stopped, or its machine is unreachable; after " +
         seconds_text(lost_after()) + " it is treated as lost";
}

std::string lost_text(milliseconds time) { return ": silent for " + seconds_text(time); }

// Returns " in all_reduce" or " in libx.so net.training_step" for a place as place_of() writes it; "" if it is unknown.
std::string last_call(const std::string& place) {
  const std::string call = place.substr(0, place.find('\t'));
  return call.empty() ? "" : " in " + (starts_with(call, waits_in) ? call.substr(std::strlen(waits_in)) : call);
}

}  // namespace

Monitor::Monitor(const World& world, const Peer& self, std::unique_ptr<Store> store, CollectiveLog& collective_log,
                 std::shared_ptr<DuplicateWarnings> duplicate_warnings, Warn warn)
    : world_(world),
      store_(std::move(store)),
      warn_(std::move(warn)),
      training_thread_(static_cast<pid_t>(::syscall(SYS_gettid))),
      seen_(static_cast<size_t>(world.size)),
      collective_log_(collective_log),
      duplicate_warnings_(std::move(duplicate_warnings)),
      peers_(static_cast<size_t>(world.size)) {
  peers_[static_cast<size_t>(world_.rank)] = self;
  for (int rank = 0; rank < world_.size; ++rank) {
    Seen& seen = seen_[static_cast<size_t>(rank)];
    const bool all = world_.size <= all_watch_all || world_.is_first();
    seen.watched = rank != world_.rank && (all || rank == 0 || rank == (world_.rank + 1) % world_.size);
  }
  thread_ = std::thread([this] { watch(); });
  if (world_.rank != 0) store_thread_ = std::thread([this] { watch_store(); });
}

Monitor::~Monitor() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (store_thread_.joinable()) store_thread_.join();
  if (duplicate_warnings_) duplicate_warnings_->close();
}

std::string Monitor::name(int rank, bool with_last_call) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Peer& peer = peers_[static_cast<size_t>(rank)];
  if (peer.process == 0) return "rank " + std::to_string(rank);
  return rank_label(rank, peer.host, peer.process) +
         (with_last_call ? last_call(seen_[static_cast<size_t>(rank)].place) : "");
}

void Monitor::lose(const std::string& text, bool has_place) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (lost_.empty()) {
      lost_ = text;
      lost_has_place_ = has_place;
    }
  }
  changed_.notify_all();
}

void Monitor::check() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!lost_.empty()) throw Error(in_deadlock_ ? ErrorCode::deadlock : ErrorCode::rank_lost, lost_);
}

bool Monitor::all_well() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return lost_.empty();
}

bool Monitor::in_deadlock() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return in_deadlock_;
}

bool Monitor::reason_has_place() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return lost_has_place_;
}

void Monitor::explain() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, silent_after + 3 * every, [&] { return !lost_.empty(); });
  if (!lost_.empty()) throw Error(in_deadlock_ ? ErrorCode::deadlock : ErrorCode::rank_lost, lost_);
}

void Monitor::say_failed(const std::string& text) try {
  lose("this process has failed");
  if (store_->add("failures", 1) == 1) store_->set("failed", std::to_string(world_.rank) + " " + text);
} catch (const Error&) {  // the store is gone
}

void Monitor::say_left() try {
  if (world_.is_first() && duplicate_warnings_) duplicate_warnings_->settle(*store_);
  nlohmann::json report = collective_log_.report();
  report["left"] = true;
  store_->set("at/" + std::to_string(world_.rank), report.dump());
  store_->set("left/" + std::to_string(world_.rank), "1");
  if (duplicate_warnings_) duplicate_warnings_->settle(*store_);
} catch (const Error&) {
}

void Monitor::wait_for_others(milliseconds most) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, most, [&] { return all_left_; });
}

void Monitor::wait_for_first(milliseconds most) try {
  const auto end = std::chrono::steady_clock::now() + most;
  while (all_well() && std::chrono::steady_clock::now() < end && !store_->find("left/0"))
    std::this_thread::sleep_for(milliseconds(10));
} catch (const Error&) {  // it has finished
}

void Monitor::watch() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopped_) {
    lock.unlock();
    look();
    lock.lock();
    changed_.wait_for(lock, every, [&] { return stopped_; });
  }
}

void Monitor::look() {
  try {
    say_alive();
    hear_failure();
    for (int rank = 0; rank < world_.size; ++rank)
      if (seen_[static_cast<size_t>(rank)].watched) look_at(rank);
    look_for_late();
    look_for_deadlock();
    if (duplicate_warnings_) duplicate_warnings_->exchange(*store_);
  } catch (const Error&) {
    answered_ = clock_.now();
    if (!seen_[0].left && world_.rank != 0) lose("lost " + name(0) + ": it no longer serves the run's store");
  }
  bool all = true;
  for (const Seen& seen : seen_) all = all && (!seen.watched || seen.left);
  const std::lock_guard<std::mutex> lock(mutex_);
  all_left_ = all;
  if (all) changed_.notify_all();
}

void Monitor::hear_failure() {
  const auto failed = ask("failed");
  if (!failed) return;
  const int rank = std::atoi(failed->c_str());
  if (rank == world_.rank || rank < 0 || rank >= world_.size) return;
  has_come(rank, seen_[static_cast<size_t>(rank)]);  // for its machine and its process in the message
  lose(name(rank, /*with_last_call=*/false) +
           " failed: " + failed->substr(std::min(failed->find(' ') + 1, failed->size())),
       /*has_place=*/true);
}

std::optional<std::string> Monitor::ask(const std::string& key) {
  if (clock_.now() - beaten_ > every) say_alive();  // answers may take long
  auto value = store_->find(key);
  answered_ = clock_.now();
  return value;
}

void Monitor::say_alive() {
  beaten_ = clock_.now();
  double waits = 0;
  const std::string place = place_of(training_thread_, waits);
  waiting_ = waits * 1000 >= static_cast<double>(silent_after.count());
  store_->set("beat/" + std::to_string(world_.rank), std::to_string(++beats_) + "\t" + place);
  if (const auto news = collective_log_.news(said_after)) {
    warned_ = *news;
    store_->set("at/" + std::to_string(world_.rank), warned_.dump());
  }
}

bool Monitor::has_come(int rank, Seen& seen) {
  Peer& peer = peers_[static_cast<size_t>(rank)];
  if (peer.process != 0) return true;
  const auto here = ask(peer_key(rank));
  if (!here) return false;
  seen.changed = clock_.now();
  const std::lock_guard<std::mutex> lock(mutex_);
  peer = peer_of(*here);
  return true;
}

void Monitor::look_at(int rank) {
  Seen& seen = seen_[static_cast<size_t>(rank)];
  if (seen.left || !has_come(rank, seen)) return;
  const auto beat = ask("beat/" + std::to_string(rank));
  const bool lives = beat && *beat != seen.beat;
  if (lives) {
    seen.beat = *beat;
    seen.changed = clock_.now();
    seen.warned_silent = false;
    const std::lock_guard<std::mutex> lock(mutex_);
    seen.place = beat->substr(std::min(beat->find('\t') + 1, beat->size()));
  }
  // Reads from the store are slow on ranks other than 0, so they read this key only without a new heartbeat.
  if ((!lives || world_.is_first()) && ask("left/" + std::to_string(rank))) {
    seen.left = true;
    return;
  }
  look_at_process(rank, seen);
  look_at_beat(rank, seen);
}

// Checks processes of this machine directly. Process namespaces may hide processes from each other, so the comparison
// is by Peer::machine.
void Monitor::look_at_process(int rank, Seen& seen) {
  const Peer& peer = peers_[static_cast<size_t>(rank)];
  if (peer.machine != peers_[static_cast<size_t>(world_.rank)].machine) return;
  if (clock_.now() - seen.changed < 2 * every) return;
  const char state = state_of(peer.process);
  if (state != 0 && state != 'Z' && state != 'X') return;
  hear_failure();  // it may have reported the reason
  if (!ask("left/" + std::to_string(rank))) lose("lost " + name(rank));
  seen.left = true;
}

void Monitor::look_at_beat(int rank, Seen& seen) {
  const milliseconds silent = clock_.now() - seen.changed;
  if (silent < silent_after) return;
  if (!std::exchange(seen.warned_silent, true)) warn_(name(rank) + silent_text(silent));
  if (silent <= lost_after()) return;
  lose("lost " + name(rank) + lost_text(silent));
  seen.left = true;  // so that the destructor of Processes does not wait for it
}

// Watches rank 0, which serves the store. If its machine is unreachable or it is stopped, nothing else ends the call in
// which the other thread waits for an answer.
void Monitor::watch_store() {
  bool told = false;
  std::unique_lock<std::mutex> lock(mutex_);
  while (!changed_.wait_for(lock, every, [&] { return ended_; })) {
    lock.unlock();
    look_at_store(told);
    lock.lock();
  }
}

void Monitor::look_at_store(bool& told) {
  const milliseconds silent = clock_.now() - answered_.load();
  if (silent < silent_after) {
    told = false;
    return;
  }
  if (!std::exchange(told, true) && all_well()) warn_(name(0) + silent_text(silent));
  if (silent <= lost_after()) return;
  lose("lost " + name(0) + lost_text(silent));
  store_->break_off();
}

// Warns about processes that delay this one: those that do not wait and have been in one call for long. Only the lowest
// waiting rank warns.
void Monitor::look_for_late() {
  if (!waiting_) return;
  for (int rank = 0; rank < world_.size; ++rank) {
    Seen& seen = seen_[static_cast<size_t>(rank)];
    if (!seen.watched || seen.left) continue;
    const std::vector<std::string> place = split(seen.place, '\t');
    if (place.size() != 3) continue;
    const bool waits = starts_with(place[0], waits_in);
    if (waits && rank < world_.rank) return;  // that rank warns
    if (waits || std::atof(place[2].c_str()) * 1000 < static_cast<double>(silent_after.count())) continue;
    const std::string call = place[0] + place[1];
    if (std::exchange(seen.warned_late, call) != call)
      warn_(name(rank, /*with_last_call=*/false) + " keeps the others waiting: " + place[0] + " has run for " +
            seconds_text(milliseconds(static_cast<int64_t>(std::atof(place[2].c_str()) * 1000))));
  }
}

// With many processes, reading all reports takes long. Rank 0 looks for deadlocks most often, and the other ranks in
// turn.
Monitor::Time Monitor::turn_to_look() const {
  if (world_.size <= all_watch_all) return Time(0);
  return read_time * world_.size * (world_.is_first() ? 1 : 10);
}

// Reports of other processes may be old: see deadlock().
void Monitor::look_for_deadlock() {
  if (!waiting_) next_look_ = clock_.now() + turn_to_look() * world_.rank / world_.size;
  if (!waiting_ || warned_.is_null() || clock_.now() < next_look_) return;
  next_look_ = clock_.now() + turn_to_look();
  std::vector<nlohmann::json> reports;
  for (int rank = 0; rank < world_.size; ++rank) {
    const auto said = rank == world_.rank ? warned_.dump() : ask("at/" + std::to_string(rank)).value_or("null");
    reports.push_back(nlohmann::json::parse(said, nullptr, /*allow_exceptions=*/false));
  }
  std::string text;
  try {
    text = deadlock(reports);
  } catch (const nlohmann::json::exception&) {  // a malformed report
  }
  if (text.empty()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    in_deadlock_ = lost_.empty();
  }
  lose(text, /*has_place=*/true);
}

}  // namespace levin::core
