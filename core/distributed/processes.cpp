#include "core/distributed/processes.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

#include "core/base/text.hpp"
#include "core/distributed/own_address.hpp"
#include "core/distributed/transports/available.hpp"

namespace levin::core {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds time_to_hear{10000};  // of a failure
constexpr milliseconds time_to_look{200};    // of the others, whether one was asked to stop
constexpr milliseconds as_long_as_they_live = std::chrono::hours(24 * 365);

std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

// Of machines with the same name, and of containers with processes of their own, it is another one.
std::string machine_of_processes() {
  std::error_code none;
  const std::string processes = std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return boot + processes;
}

std::string key(const char* name, int rank) { return std::string(name) + "/" + std::to_string(rank); }

// The file where processes meet: the next run may meet there, whatever became of this one.
class RemovedAtEnd {
 public:
  explicit RemovedAtEnd(std::string file) : file_(std::move(file)) {}
  ~RemovedAtEnd() {
    if (!file_.empty()) ::unlink(file_.c_str());
  }
  RemovedAtEnd(const RemovedAtEnd&) = delete;
  RemovedAtEnd& operator=(const RemovedAtEnd&) = delete;

 private:
  const std::string file_;
};

// "HOST PORT"
MeetingPlace place_of(const std::string& text) {
  const std::vector<std::string> words = split(text, ' ');
  if (words.size() != 2) throw Error(ErrorKind::processes, "nobody said where the processes of the run meet");
  MeetingPlace place;
  place.address = words[0];
  place.port = std::atoi(words[1].c_str());
  return place;
}

}  // namespace

Processes::Processes(World world, const MeetingOptions& options, std::function<void(const std::string&)> warn)
    : world_(std::move(world)) {
  if (world_.several()) meet(options, std::move(warn));
}

Processes::~Processes() {
  if (!monitor_) return;
  const bool fails = std::uncaught_exceptions() > 0 || !monitor_->all_well();
  monitor_->say_left();
  // The first one serves the store. It may write still, and launchers kill it when another one ends with a code. Who
  // hangs while this process fails is not waited for.
  if (world_.is_first())
    monitor_->wait_for_others(fails ? time_to_hear : as_long_as_they_live);
  else if (!fails)
    monitor_->wait_for_first(as_long_as_they_live);
}

// The file only says where the store of the first process is.
void Processes::meet_in_file(const std::string& file, const MeetingOptions& options) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (std::error_code unknown; !std::filesystem::is_directory(folder, unknown))
    throw Error(ErrorKind::usage, "the processes meet in the file " + file + ", and there is no folder " +
                                      folder.string() + " here (trainer.init_method)");
  MeetingPlace place;
  place.file = file;
  const std::unique_ptr<Store> in_file = open_store(place, false, address_, options.meeting_timeout);
  come_to(*in_file, "the file " + file,
          "an earlier run has left it, or another one meets there; remove it, or name another",
          options.meeting_timeout);
  if (world_.is_first()) {
    MeetingPlace own;
    store_ = open_store(own, true, address_, options.meeting_timeout);
    in_file->set("store", address_ + " " + std::to_string(store_->port()));
  }
  place = place_of(in_file->get("store", options.meeting_timeout));
  if (!world_.is_first()) store_ = open_store(place, false, "", options.meeting_timeout);
  monitor_store_ = open_store(place, false, "", options.meeting_timeout);
}

void Processes::open_stores(const MeetingOptions& options) {
  MeetingPlace place = meeting_place(world_, environment_variables(), options.init_method);
  const Addresses addresses = addresses_of(world_, place.file.empty() ? place.address : host_name(), options.interface);
  address_ = addresses.own;
  if (!place.file.empty()) return meet_in_file(place.file, options);
  if (place.port == 0 && !world_.is_first())
    place = place_of(launcher_.hear("store", options.meeting_timeout).value_or(""));
  else
    place.address = addresses.first;
  if (world_.is_first()) {
    // Whoever has named an address of this machine has chosen it for the store.
    if (!is_own_address(place.address)) place.address = address_;
    store_ = open_store(place, true, place.address, options.meeting_timeout);
    place.port = store_->port();
    launcher_.say("store", place.address + " " + std::to_string(place.port));
  } else {
    store_ = open_store(place, false, "", options.meeting_timeout);
  }
  monitor_store_ = open_store(place, false, "", options.meeting_timeout);
  come_to(*store_, place.address + ":" + std::to_string(place.port),
          "another run uses this port (set another MASTER_PORT), or two processes were given the same rank",
          options.meeting_timeout);
}

// Another run's processes may come to the same place. They end, and leave nothing there.
void Processes::come_to(Store& store, const std::string& place, const std::string& another,
                        std::chrono::milliseconds timeout) {
  const std::string mine = "run " + run_identity(world_, environment_variables());
  if (!world_.is_first() && store.get("run", timeout) != mine)
    throw Error(ErrorKind::usage, "rank " + std::to_string(world_.rank) + " has come to " + place +
                                      ", and there the processes of another run meet: " + another);
  if (store.add(key("came", world_.rank), 1) != 1)
    throw Error(ErrorKind::usage, "another process has come to " + place + " as rank " + std::to_string(world_.rank) +
                                      " before: " + another);
  if (world_.is_first()) store.set("run", mine);
}

std::vector<Peer> Processes::wait_for_all(const MeetingOptions& options) {
  const std::string size = std::to_string(world_.size);
  store_->set(key("here", world_.rank),
              host_name() + " " + std::to_string(::getpid()) + " " + size + " " + machine_of_processes());
  const auto look = [&] { look_whether_stopped(options); };
  look();
  std::vector<Peer> peers;
  for (int rank = 0; rank < world_.size; ++rank) try {
      const std::vector<std::string> words = split(store_->get(key("here", rank), options.meeting_timeout, look), ' ');
      peers.push_back({words.at(0), std::atol(words.at(1).c_str()), words.size() > 3 ? words[3] : words[0]});
      if (words.size() > 2 && words[2] != size)
        throw Error(ErrorKind::usage, "rank " + std::to_string(rank) + " was told that there are " + words[2] +
                                          " processes, and rank " + std::to_string(world_.rank) + " that there are " +
                                          size + " (WORLD_SIZE)");
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::usage) throw;
      throw Error(ErrorKind::processes, "rank " + std::to_string(rank) + " did not come: by " + world_.launcher +
                                            " there are " + std::to_string(world_.size) + " processes (" + e.what() +
                                            "; trainer.process_group_timeout)");
    }
  look();  // whoever came last may have been stopped since
  return peers;
}

void Processes::look_whether_stopped(const MeetingOptions& options) {
  if (const int signal = options.asked_to_stop(); signal != 0) {
    store_->set("stopped", std::to_string(signal));
    if (world_.is_first()) std::this_thread::sleep_for(time_to_look);  // it serves the store
    throw MeetingStopped{signal};
  }
  if (const auto signal = store_->find("stopped")) throw MeetingStopped{std::atoi(signal->c_str())};
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
    trail_.still_waits(place_);
  };
  group.trail = &trail_;
  group.trail_name = name;
  group.explain = [this] { monitor_->explain(); };
  auto made = std::make_unique<ProcessGroup>(*store_, name, std::move(ranks), rank, std::move(group));
  if (!transport_.empty()) made->use_transport(*store_, name, transport_);
  return made;
}

std::string Processes::choose_backend(ProcessGroupBackend backend, at::DeviceType device) {
  const bool automatic = backend == ProcessGroupBackend::automatic, gpus = device == at::kCUDA;
  if (!world_.several() || backend == ProcessGroupBackend::gloo || (automatic && !gpus)) return "";
  if (backend == ProcessGroupBackend::nccl && !gpus)
    throw Error(ErrorKind::usage,
                "trainer.process_group_backend=nccl carries tensors between GPUs, and this run computes on the CPU: "
                "use gloo, mpi or auto");
  const std::string name = automatic ? "nccl" : name_of(backend);
  const auto of_any = [this](const std::string& mine) {
    for (const std::string& text : control_->all_gather_bytes(mine))
      if (!text.empty()) return text;
    return std::string();
  };
  std::string obstacle = of_any(obstacle_to_transport(name));
  if (obstacle.empty()) obstacle = of_any(start_transport(name));
  if (obstacle.empty()) {
    transport_ = name;
    reductions = reductions.empty() ? name : reductions + "; else by " + name;
    return "";
  }
  if (!automatic)
    throw Error(ErrorKind::usage,
                "trainer.process_group_backend=" + name + " cannot be used: " + obstacle + "; use gloo or auto");
  group_->use_transport(*store_, "all", "");
  return "gradients of GPUs go through the CPU, by gloo and not by nccl: " + obstacle;
}

std::string Processes::start_transport(const std::string& name) try {
  group_->use_transport(*store_, "all", name);
  return "";
} catch (const Error& e) {
  if (e.kind() != ErrorKind::usage) throw;
  return e.what();
}

// Who was stopped is gone, which the others may notice first.
void Processes::heed_earlier_stop() const {
  std::optional<std::string> signal;
  try {
    signal = store_->find("stopped");
  } catch (const Error&) {
    return;  // with the first process its store is gone
  }
  if (signal) throw MeetingStopped{std::atoi(signal->c_str())};
}

void Processes::meet(const MeetingOptions& options, std::function<void(const std::string&)> warn) {
  timeout_ = options.timeout;
  open_stores(options);
  const std::string file = meeting_place(world_, environment_variables(), options.init_method).file;
  const RemovedAtEnd removed(world_.is_first() ? file : "");
  try {
    meet_others(options, std::move(warn));
  } catch (const Error& e) {
    if (e.kind() == ErrorKind::processes) heed_earlier_stop();
    throw;
  }
}

void Processes::meet_others(const MeetingOptions& options, std::function<void(const std::string&)> warn) {
  std::vector<Peer> peers = wait_for_all(options);
  monitor_ = std::make_unique<Monitor>(world_, std::move(peers), std::move(monitor_store_), trail_, options.repeats,
                                       std::move(warn));
  group_ = new_group("all");
  control_ = new_group("control");
}

void Processes::failed(const Error& error) {
  const bool another_was_first = !monitor_ || (!monitor_->all_well() && !monitor_->in_deadlock());
  if (error.kind() == ErrorKind::processes && another_was_first) return;
  launcher_.say("failed", std::to_string(error.exit_code()) + " " + error.what());
  if (monitor_) monitor_->say_failed(error.what());
}

std::string Processes::of_first(const std::string& mine) { return group_->all_gather_bytes(mine).front(); }

void Processes::check_same(const std::string& what, const std::string& mine,
                           const std::function<std::string(const std::string&, const std::string&)>& difference) {
  if (!world_.several()) return;
  const std::vector<std::string> all = group_->all_gather_bytes(mine);
  for (size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Error(ErrorKind::usage, "the processes of the run do not have the same " + what + ": rank " +
                                        std::to_string(rank) +
                                        " differs from rank 0: " + difference(all[0], all[rank]));
}

}  // namespace levin::core
