#include "tasks/nats/worker.hpp"

#include <poll.h>
#include <pwd.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "core/base/error_line.hpp"
#include "core/base/file.hpp"
#include "core/base/machine.hpp"
#include "core/base/program_name.hpp"
#include "core/base/stop_signals.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "launch/common/event_loop.hpp"
#include "tasks/common/drop_privileges.hpp"
#include "tasks/common/job.hpp"
#include "tasks/nats/slot.hpp"

namespace levin::core::tasks {
namespace {

void say_error(ErrorCode code, const std::string& message) {
  std::fprintf(stderr, "%s\n", error_line(code, message).c_str());
}

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct WorkerArguments {
  BusAddress address;
  std::string name;
  size_t slots = 1;
  std::vector<std::string> allowed;
  fs::path folder;
  bool trust = false;
  Machine machine;
  nlohmann::json user;
  double patience = 0;  // seconds without a server after which it ends; 0 = it waits
};

fs::path cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  return (cache && *cache ? fs::path(cache) : absolute_path("~/.cache")) / "levin" / "tasks";
}

std::string own_worker_name() {
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  return std::string(host) + "-" + std::to_string(::getpid());
}

// The user that processes become. Throws Error{usage}.
nlohmann::json user_of(const std::string& name) {
  if (::geteuid() != 0)
    throw Error(ErrorCode::option_value_invalid, "--user: only root can start processes of another user");
  const passwd* user = ::getpwnam(name.c_str());
  if (!user) throw Error(ErrorCode::option_value_invalid, "--user: there is no user '" + name + "'");
  if (user->pw_uid == 0) throw Error(ErrorCode::option_value_invalid, "--user: '" + name + "' is root itself");
  return {{"name", name}, {"uid", user->pw_uid}, {"gid", user->pw_gid}, {"home", user->pw_dir}};
}

std::optional<gid_t> readers(const nlohmann::json& user) {
  return user.is_null() ? std::nullopt : std::optional<gid_t>(user.at("gid").get<gid_t>());
}

WorkerArguments read_arguments(const std::vector<std::string>& all) {
  std::vector<WordOption> known = address_options();
  known.insert(known.end(), {{"workers"},
                             {"cpus"},
                             {"gpus"},
                             {"memory_total"},
                             {"labels"},
                             {"user"},
                             {"name"},
                             {"folder"},
                             {"patience"},
                             {"allow", WordOption::list},
                             {"trust", WordOption::flag}});
  const Words words = read_words(all, known);
  if (words.names.size() > 1)
    throw Error(ErrorCode::argument_unexpected, "host tasks worker: unexpected '" + words.names[1] + "'");
  WorkerArguments out;
  out.address = read_address(words);
  out.name = words.get("name").value_or(own_worker_name());
  const nlohmann::json slots =
      check_option(int_option("workers", 0, 0, ""), words.get("workers").value_or("0"), "--workers");
  out.slots = slots.get<size_t>() ? slots.get<size_t>() : std::max(1u, std::thread::hardware_concurrency());
  out.allowed = words.list("allow");
  if (out.allowed.empty())
    throw Error(ErrorCode::option_missing,
                "host tasks worker: name the libraries that may run here: --allow with a SHA-256 sum, a file or folder "
                "of libraries, key:FILE with the public key of signed libraries, or any");
  const auto folder = words.get("folder");
  out.folder = folder ? absolute_path(*folder) : cache_folder();
  const auto number = [&](const char* name, int64_t least) {
    const auto text = words.get(name);
    if (!text) return std::optional<uint64_t>();
    const nlohmann::json value =
        check_option(int_option(name, least, static_cast<double>(least), ""), *text, std::string("--") + name);
    return std::optional<uint64_t>(value.get<uint64_t>());
  };
  out.machine = read_machine(
      {out.slots, number("cpus", 1), number("gpus", 0), number("memory_total", 0), words.get("labels").value_or("")});
  if (const auto user = words.get("user")) {
    out.user = user_of(*user);
    check_privileges_can_be_dropped(out.user);
    if (!folder) out.folder = "/var/cache/levin/tasks";  // root's own one cannot be read by others
  }
  out.trust = words.has("trust");
  out.patience = check_option(float_option("patience", 0, 0, ""), words.get("patience").value_or("0"), "--patience");
  return out;
}

// Listens, says that it is there, and keeps the tasks that it holds from being given to others.
class Worker {
 public:
  explicit Worker(const WorkerArguments& arguments)
      : signals_({SIGINT, SIGTERM, SIGHUP}),
        patience_(arguments.patience),
        libraries_(arguments.allowed, arguments.folder / "libraries", readers(arguments.user)),
        bus_(connected(arguments)),
        resources_(arguments.machine),
        parts_{*bus_,
               board_,
               held_,
               libraries_,
               resources_,
               arguments.name,
               (exe_path().parent_path() / "host-tasks-worker").string(),
               arguments.folder / "output" / arguments.name,
               arguments.slots,
               arguments.trust,
               arguments.user,
               {}} {
    listen<JobInfo>(subject_jobs, [this](JobInfo job) { board_.announced(std::move(job)); });
    listen<JobSession>(subject_stop, [this](const JobSession& job) { board_.stopped(job); });
    listen<JobSession>(subject_hold, [this](const JobSession& job) { board_.held(job); });
    listeners_.push_back(bus_->listen(subject_wake, [this](BusMessage) { board_.wake(); }));
  }

  int run() {
    std::vector<std::unique_ptr<Slot>> slots;
    std::vector<std::thread> threads;
    for (size_t i = 1; i <= parts_.slots; ++i) slots.push_back(std::make_unique<Slot>(parts_, i));
    for (const auto& slot : slots) threads.emplace_back([&slot] { slot->run(); });
    say_hello();
    std::printf("worker %s: %zu tasks at a time\n", parts_.name.c_str(), parts_.slots);
    std::fflush(stdout);
    std::thread last;  // waits for the slots
    std::atomic<bool> ended{false};
    while (!ended) {
      pollfd fd{signals_.fd(), POLLIN, 0};
      ::poll(&fd, 1, parts_.stops > 0 ? 50 : 1000);
      tell();
      const int signal = stop_asked();
      if (!last.joinable() && parts_.stops > 0) {
        code_ = signal ? code_of_stop(signal) : static_cast<int>(ErrorKind::run);
        last = std::thread([&] {
          for (std::thread& thread : threads) thread.join();
          ended = true;
        });
      }
    }
    last.join();
    bus_->publish(subject_workers, nlohmann::json(info(0, 0)).dump());
    bus_->request("levin.nobody", "", milliseconds(500));  // the message before is on its way when this one is answered
    return code_;
  }

 private:
  // The server may be started later than this worker.
  static std::unique_ptr<Bus> connected(const WorkerArguments& arguments) {
    const auto patience = arguments.patience > 0 ? milliseconds(static_cast<int64_t>(1000 * arguments.patience))
                                                 : milliseconds(std::chrono::hours(24 * 365));
    return std::make_unique<Bus>(arguments.address, "levin worker " + arguments.name, patience);
  }

  template <class T, class Use>
  void listen(const char* subject, Use use) {
    listeners_.push_back(bus_->listen(subject, [use](BusMessage message) {
      if (auto value = parsed<T>(message.bytes)) use(std::move(*value));
    }));
  }

  void say_hello() {
    tell();
    bus_->publish(subject_hello, "");
  }

  WorkerInfo info(uint64_t slots, uint64_t running) const {
    const Capacity& has = resources_.machine().capacity;
    return {parts_.name, slots, running, has.all.cpus, has.all.gpus, has.all.memory, has.labels};
  }

  void tell() {
    if (std::chrono::steady_clock::now() < told_ + milliseconds(900)) return;
    told_ = std::chrono::steady_clock::now();
    const std::vector<std::string> held = held_.replies();
    for (const std::string& reply : held) bus_->publish(reply, "+WPI");
    bus_->publish(subject_workers, nlohmann::json(info(parts_.slots, held.size() + parts_.fetches)).dump());
  }

  // Returns the signal, if one has come. The first one lets running tasks end.
  int stop_asked() {
    int out = 0;
    for (const int signal : signals_.read()) {
      if (signal == SIGCHLD) continue;
      out = signal;
      if (++parts_.stops == 1) std::printf("%s: running tasks end; once more stops at once\n", name_of_signal(signal));
      std::fflush(stdout);
    }
    if (bus_->closed() && parts_.stops == 0) {
      say_error(ErrorCode::server_refused, "the NATS server does not let this worker connect any more");
      parts_.stops = 2;
    }
    if (const std::string reason = bus_->refusal(subject_workers); !reason.empty() && parts_.stops == 0) {
      say_error(ErrorCode::server_refused, reason);
      parts_.stops = 2;
    }
    if (bus_->connected()) connected_ = std::chrono::steady_clock::now();
    const std::chrono::duration<double> silent = std::chrono::steady_clock::now() - connected_;
    if (patience_ > 0 && silent.count() > patience_ && parts_.stops == 0) {
      say_error(ErrorCode::server_unreachable,
                "the NATS server has been gone for " + std::to_string(std::lround(patience_)) + " s");
      parts_.stops = 2;
    }
    board_.wake();
    return out;
  }

  SignalSource signals_;  // before any thread is started
  const double patience_;
  std::chrono::steady_clock::time_point connected_ = std::chrono::steady_clock::now();
  Libraries libraries_;  // before it waits for a server: --allow may be wrong
  std::unique_ptr<Bus> bus_;
  JobBoard board_;
  HeldTasks held_;
  WorkerResources resources_;
  WorkerParts parts_;
  std::vector<std::unique_ptr<Bus::Listener>> listeners_;
  std::chrono::steady_clock::time_point told_{};
  int code_ = 0;
};

}  // namespace

std::vector<WordOption> address_options() {
  std::vector<WordOption> out;
  add_server_options(out);
  return out;
}

BusAddress address_of(const ServerOptions& options) {
  BusAddress out;
  static_cast<ServerOptions&>(out) = options;
  if (!options.token_file.empty())
    out.token = trim(read_file(options.token_file));
  else if (const char* token = std::getenv(token_variable); token && options.creds_file.empty())
    out.token = token;
  return out;
}

BusAddress read_address(const Words& words) {
  if (!words.has("server"))
    throw Error(ErrorCode::option_missing, "host tasks: no server is named: --server nats://HOST:4222");
  ServerOptions options;
  set_server_options(words, options);
  BusAddress out = address_of(options);
  ::unsetenv(token_variable);  // the libraries need not see it
  return out;
}

int run_worker(const std::vector<std::string>& words) {
  const WorkerArguments arguments = read_arguments(words);
  const int code = Worker(arguments).run();
  std::fflush(nullptr);
  ::_exit(code);  // threads of the connection may still run
}

}  // namespace levin::core::tasks
