#include "core/distributed/processes.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <numeric>
#include <thread>

#include "core/base/machine.hpp"
#include "core/base/text.hpp"
#include "core/distributed/rendezvous_file.hpp"
#include "core/distributed/store/own_address.hpp"
#include "core/distributed/store/tcp_port.hpp"
#include "core/distributed/store/time_limit.hpp"

namespace levin::core {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds time_to_hear{10000};  // for the other processes to receive a failure
constexpr milliseconds time_to_look{200};    // for the other processes to notice that one was asked to stop
constexpr milliseconds as_long_as_they_live = std::chrono::hours(24 * 365);

std::string key(const char* name, int rank) { return std::string(name) + "/" + std::to_string(rank); }

// Removes the rendezvous file when it is destroyed, so that the next run can use the same path.
class RemovedAtEnd {
 public:
  explicit RemovedAtEnd(const std::string& file) : file_(file, {}), there_(!file.empty()) {}
  ~RemovedAtEnd() {
    if (there_) file_.remove();
  }
  RemovedAtEnd(const RemovedAtEnd&) = delete;
  RemovedAtEnd& operator=(const RemovedAtEnd&) = delete;

 private:
  const RendezvousFile file_;
  const bool there_;
};

// Parses "HOST PORT"; nullopt = malformed.
std::optional<RendezvousAddress> place_of(const std::string& text) {
  const std::vector<std::string> words = split(text, ' ');
  if (words.size() != 2) return std::nullopt;
  RendezvousAddress place;
  place.address = words[0];
  place.port = std::atoi(words[1].c_str());
  in_addr address{};
  const bool is_address = ::inet_pton(AF_INET, place.address.c_str(), &address) == 1;
  return is_address && place.port > 0 && place.port <= 65535 ? std::optional(place) : std::nullopt;
}

std::string rank_text(int rank) { return "rank " + std::to_string(rank); }

// Registers this rank at the rendezvous place, a store or a file. Throws Error{usage} if the place belongs to another
// run, or another process has registered as this rank. Processes of another run write nothing there.
template <class Place>
void come_to(Place& place, const World& world, const std::string& where, const std::string& another,
             const std::function<std::string()>& run_of_first) {
  const std::string mine = printable("run " + run_identity(world, environment_variables()));
  if (!world.is_first() && run_of_first() != mine)
    throw Error(ErrorCode::rendezvous_refused,
                rank_text(world.rank) + " has come to " + where + ", the rendezvous of another run: " + another);
  if (!place.claim(key("came", world.rank)))
    throw Error(ErrorCode::rendezvous_refused,
                "another process has come to " + where + " as " + rank_text(world.rank) + " before: " + another);
  if (world.is_first()) place.set("run", mine);
}

}  // namespace

Processes::Processes(World world, const RendezvousOptions& options, Warn warn) : world_(std::move(world)) {
  if (world_.several()) meet(options, std::move(warn));
}

Processes::~Processes() {
  if (!monitor_) return;
  const bool fails = std::uncaught_exceptions() > 0 || !monitor_->all_well();
  monitor_->say_left();
  // Rank 0 serves the store, which others may still write to, and launchers kill it when another process exits with an
  // error code. A process that hangs while this one fails is not waited for.
  if (world_.is_first())
    monitor_->wait_for_others(fails ? time_to_hear : as_long_as_they_live);
  else if (!fails)
    monitor_->wait_for_first(as_long_as_they_live);
}

// The file only contains the address of rank 0's store.
void Processes::meet_in_file(const std::string& path, const RendezvousOptions& options) {
  const std::string left = "an earlier run has left it, or another one meets there; remove it, or name another";
  RendezvousFile file(path, options.rendezvous_timeout);
  if (world_.is_first()) store_ = serve_store({}, address_, options.rendezvous_timeout);
  come_to(file, world_, "the file " + path, left, [&] { return file.get("run"); });
  if (world_.is_first()) file.set("store", address_ + " " + std::to_string(store_->port()));
  const auto place = place_of(file.get("store"));
  if (!place) throw Error(ErrorCode::rendezvous_refused, "the rendezvous file " + path + " is damaged: " + left);
  // Rank 0 listens before it writes its address.
  if (wait_for_listener(place->address, place->port, options.rendezvous_timeout, {}) == Listener::refused)
    throw Error(ErrorCode::rendezvous_refused,
                "nothing listens at the address in the rendezvous file " + path + ": " + left);
  if (!world_.is_first()) store_ = join_store(*place, options.rendezvous_timeout);
  monitor_store_ = join_store(*place, options.rendezvous_timeout);
}

void Processes::open_stores(const RendezvousOptions& options) {
  RendezvousAddress place = rendezvous_address(world_, environment_variables(), options.init_method);
  const Addresses addresses = addresses_of(world_, place.file.empty() ? place.address : host_name(), options.interface);
  address_ = addresses.own;
  if (!place.file.empty()) return meet_in_file(place.file, options);
  if (place.port == 0 && !world_.is_first()) {
    const auto told = place_of(launcher_.hear("store", options.rendezvous_timeout).value_or(""));
    if (!told)
      throw Error(ErrorCode::rank_missing,
                  "rank 0 did not publish the address of the rendezvous (trainer.process_group_timeout)");
    place = *told;
  } else {
    place.address = addresses.first;
  }
  if (world_.is_first()) {
    // An address of this machine that the user has named is used for the store.
    if (!is_own_address(place.address)) place.address = address_;
    store_ = serve_store(place, place.address, options.rendezvous_timeout);
    place.port = store_->port();
    launcher_.say("store", place.address + " " + std::to_string(place.port));
  } else {
    store_ = join_store(place, options.rendezvous_timeout);
  }
  monitor_store_ = join_store(place, options.rendezvous_timeout);
  come_to_store(place, options);
}

// Rank 0 writes the run's identity as soon as it serves the store. It may be stopped before that, so the wait has a
// deadline.
void Processes::come_to_store(const RendezvousAddress& place, const RendezvousOptions& options) {
  const std::string where = place.address + ":" + std::to_string(place.port);
  const std::chrono::milliseconds soon = answer_time(options.rendezvous_timeout);
  const ConnectionDeadline deadline(place.port, soon + time_to_hear);
  come_to(*store_, world_, where,
          "another run uses this port (set another MASTER_PORT), or two processes were given the same rank", [&] {
            if (auto run = store_->wait_for("run", soon)) return *run;
            throw Error(ErrorCode::port_unusable,
                        "what serves a store at " + where +
                            " is not rank 0 of a run: another program uses that port; take another one, "
                            "the same for all ranks (" +
                            (place.named_by.empty() ? "MASTER_PORT" : place.named_by) + ")");
          });
}

// Returns the peer entry of a rank; nullopt = it did not arrive in time.
std::optional<std::string> Processes::wait_for(int rank, const RendezvousOptions& options) try {
  return store_->wait_for(peer_key(rank), options.rendezvous_timeout, [&] {
    look_whether_stopped(options);
    monitor_->check();
  });
} catch (const Error&) {
  monitor_->explain();
  throw;
}

void Processes::wait_for_all(const RendezvousOptions& options) {
  const std::string size = std::to_string(world_.size);
  look_whether_stopped(options);
  for (int rank = 0; rank < world_.size; ++rank) {
    const auto here = wait_for(rank, options);
    if (!here)
      throw Error(ErrorCode::rank_missing,
                  rank_text(rank) + " did not come within " + in_seconds(options.rendezvous_timeout) +
                      " (trainer.process_group_timeout): by " + world_.launcher + " there are " + size + " processes");
    if (const Peer peer = peer_of(*here); peer.world_size != size)
      throw Error(ErrorCode::ranks_differ, rank_text(rank) + " was told that there are " + peer.world_size +
                                               " processes, and " + rank_text(world_.rank) + " that there are " + size +
                                               " (WORLD_SIZE)");
  }
  look_whether_stopped(options);  // the last process to arrive may have been stopped since
  if (world_.is_first()) launcher_.say("met", "");
}

void Processes::look_whether_stopped(const RendezvousOptions& options) {
  if (const int signal = options.asked_to_stop(); signal != 0) {
    store_->set("stopped", std::to_string(signal));
    if (world_.is_first()) std::this_thread::sleep_for(time_to_look);  // it serves the store
    throw RendezvousStopped{signal};
  }
  if (const auto signal = store_->find("stopped")) throw RendezvousStopped{std::atoi(signal->c_str())};
}

std::unique_ptr<ProcessGroup> Processes::new_group(const std::string& name) {
  std::vector<int> ranks(static_cast<size_t>(world_.size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return new_group(name, std::move(ranks));
}

std::unique_ptr<ProcessGroup> Processes::new_group(const std::string& name, std::vector<int> ranks) {
  const auto me = std::find(ranks.begin(), ranks.end(), world_.rank);
  if (me == ranks.end()) return nullptr;
  if (ranks.size() < 2) return std::make_unique<ProcessGroup>();
  const int rank = static_cast<int>(me - ranks.begin());
  ProcessGroupOptions group;
  group.address = address_;
  group.timeout = timeout_;
  group.while_waiting = [this] {
    monitor_->check();
    collective_log_.still_waits(place_);
  };
  group.collective_log = &collective_log_;
  group.collective_log_name = name;
  group.explain = [this] { monitor_->explain(); };
  auto made = std::make_unique<ProcessGroup>(*store_, name, std::move(ranks), rank, std::move(group));
  if (!transport_.empty()) made->use_transport(*store_, name, transport_);
  return made;
}

std::string Processes::choose_backend(ProcessGroupBackend backend, at::DeviceType device) {
  const bool automatic = backend == ProcessGroupBackend::automatic, gpus = device == at::kCUDA;
  if (!world_.several() || backend == ProcessGroupBackend::gloo || (automatic && !gpus)) return "";
  if (backend == ProcessGroupBackend::nccl && !gpus)
    throw Error(ErrorCode::transport_not_available,
                "trainer.process_group_backend=nccl carries tensors between GPUs, and this run computes on the CPU: "
                "use gloo, mpi or auto");
  const std::string name = automatic ? "nccl" : name_of(backend);
  const auto of_any = [this](const std::string& mine) {
    for (const std::string& text : control_->all_gather_bytes(mine))
      if (!text.empty()) return text;
    return std::string();
  };
  std::string obstacle = of_any(ProcessGroup::obstacle_to(name));
  if (obstacle.empty()) obstacle = of_any(start_transport(name));
  if (obstacle.empty()) {
    transport_ = name;
    reductions = reductions.empty() ? name : reductions + "; else by " + name;
    return "";
  }
  if (!automatic)
    throw Error(ErrorCode::transport_not_available,
                "trainer.process_group_backend=" + name + " cannot be used: " + obstacle + "; use gloo or auto");
  group_->drop_transport(name);
  return "gradients on GPUs are sent by gloo through the CPU, because nccl cannot be used: " + obstacle;
}

std::string Processes::start_transport(const std::string& name) try {
  group_->use_transport(*store_, "all", name);
  return "";
} catch (const Error& e) {
  if (e.kind() != ErrorKind::usage) throw;
  return e.what();
}

// A stopped process exits, and the others may detect that before they see the stop. Then this throws RendezvousStopped.
void Processes::heed_earlier_stop() const {
  std::optional<std::string> signal;
  try {
    signal = store_->find("stopped");
  } catch (const Error&) {
    return;  // the store has ended with rank 0
  }
  if (signal) throw RendezvousStopped{std::atoi(signal->c_str())};
}

void Processes::meet(const RendezvousOptions& options, Warn warn) {
  timeout_ = options.timeout;
  open_stores(options);
  const std::string file = rendezvous_address(world_, environment_variables(), options.init_method).file;
  const RemovedAtEnd removed(world_.is_first() ? file : "");
  try {
    meet_others(options, std::move(warn));
  } catch (const Error& e) {
    if (e.kind() == ErrorKind::processes) heed_earlier_stop();
    throw;
  }
}

// The monitor starts before the wait, so that a loss is detected while processes are still missing.
void Processes::meet_others(const RendezvousOptions& options, Warn warn) {
  const Peer self = own_peer(world_.size);
  store_->set(peer_key(world_.rank), text_of(self));
  monitor_ = std::make_unique<Monitor>(world_, self, std::move(monitor_store_), collective_log_,
                                       options.duplicate_warnings, std::move(warn));
  wait_for_all(options);
  group_ = new_group("all");
  control_ = new_group("control");
}

void Processes::failed(const Error& error) {
  const bool another_was_first = !monitor_ || (!monitor_->all_well() && !monitor_->in_deadlock());
  if (error.kind() == ErrorKind::processes && another_was_first) return;
  launcher_.say("failed", std::to_string(static_cast<int>(error.code())) + " " + error.what());
  if (monitor_) monitor_->say_failed(error.what());
}

std::string Processes::of_first(const std::string& mine) { return group_->all_gather_bytes(mine).front(); }

void Processes::check_same(const std::string& what, const std::string& mine,
                           const std::function<std::string(const std::string&, const std::string&)>& difference) {
  if (!world_.several()) return;
  const std::vector<std::string> all = group_->all_gather_bytes(mine);
  for (size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Error(ErrorCode::ranks_differ, "the processes of the run do not have the same " + what + ": rank " +
                                               std::to_string(rank) +
                                               " differs from rank 0: " + difference(all[0], all[rank]));
}

}  // namespace levin::core
