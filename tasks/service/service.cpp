#include "tasks/service/service.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <deque>
#include <fstream>
#include <mutex>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/program_name.hpp"
#include "core/base/stop_signals.hpp"
#include "core/base/text.hpp"
#include "launch/common/event_loop.hpp"
#include "tasks/driver/driver.hpp"
#include "tasks/driver/report.hpp"
#include "tasks/nats/job_info.hpp"
#include "tasks/nats/server_process.hpp"
#include "tasks/nats/worker.hpp"
#include "tasks/service/service_jobs.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t most_snapshots = 8;

struct ServiceArguments {
  std::string listen;
  fs::path folder;
  std::vector<std::string> allowed;
  std::string ledger;
  ServerOptions tls;
};

ServiceArguments read_service_arguments(const std::vector<std::string>& all) {
  const Words words = read_words(
      all, {{"listen"}, {"folder"}, {"allow", WordOption::list}, {"ledger"}, {"tls_cert"}, {"tls_key"}, {"tls_ca"}});
  if (words.names.size() > 1)
    throw Error(ErrorCode::argument_unexpected, "host tasks serve: unexpected '" + words.names[1] + "'");
  ServiceArguments out;
  out.listen = words.get("listen").value_or("127.0.0.1:4222");
  out.folder = absolute_path(words.get("folder").value_or("levin_tasks"));
  out.allowed = words.list("allow");
  out.ledger = words.get("ledger").value_or("");
  if (!out.ledger.empty()) check_ledger_url(out.ledger);
  set_server_options(words, out.tls);
  if (!out.tls.tls_ca.empty() && out.tls.tls_cert.empty())
    throw Error(ErrorCode::option_missing, "host tasks serve: --tls_ca needs --tls_cert and --tls_key");
  if (out.allowed.empty())
    throw Error(ErrorCode::option_missing,
                "host tasks serve: name the libraries that may run here: --allow with a SHA-256 sum, a file or folder "
                "of libraries, key:FILE with the public key of signed libraries, or any");
  Libraries(out.allowed, out.folder);  // throws for one that is none of these
  return out;
}

Descriptor lock_of(const fs::path& folder) {
  fs::create_directories(folder);
  Descriptor fd(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd.open() || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0)
    throw Error(ErrorCode::job_in_use,
                "another host tasks serve has the folder " + folder.string() + ", or it cannot be written");
  return fd;
}

class Service {
 public:
  explicit Service(const ServiceArguments& arguments)
      : signals_({SIGINT, SIGTERM, SIGHUP}),
        lock_(lock_of(arguments.folder)),
        server_(arguments.folder / "nats", arguments.listen, arguments.tls),
        bus_(server_.address(ServerUser::service), "levin service", std::chrono::seconds(15),
             [this] {
               server_.keep_alive();
               return true;
             }),
        jobs_(arguments.folder, server_.address(ServerUser::service), arguments.allowed, arguments.ledger) {
    const auto to = requests_;
    listeners_.push_back(bus_.listen(subject_service, [to](BusMessage message) { to->add(std::move(message)); }));
    listeners_.push_back(bus_.listen(subject_workers, [to](BusMessage message) { to->add(std::move(message)); }));
    std::printf("server        %s\nuser_token    %s\nworker_token  %s\n",
                server_.address(ServerUser::service).server.c_str(), server_.token_file(ServerUser::user).c_str(),
                server_.token_file(ServerUser::worker).c_str());
    std::fflush(stdout);
  }

  int run() {
    for (;;) {
      pollfd fds[] = {{signals_.fd(), POLLIN, 0}, {requests_->event.get(), POLLIN, 0}};
      ::poll(fds, 2, 200);
      for (const int signal : signals_.read()) {
        if (signal == SIGCHLD) continue;
        jobs_.stop();
        std::printf("stopped by %s; jobs go on with the next %s tasks serve\n", name_of_signal(signal), command_name());
        return code_of_stop(signal);
      }
      server_.keep_alive();
      server_.look_for_room();
      for (const BusMessage& message : requests_->take()) take(message);
      look_at_jobs();
    }
  }

 private:
  struct Requests {
    std::mutex mutex;
    std::deque<BusMessage> messages;
    Descriptor event{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    void add(BusMessage message) {
      const std::lock_guard<std::mutex> lock(mutex);
      messages.push_back(std::move(message));
      const uint64_t one = 1;
      if (::write(event.get(), &one, sizeof one) < 0) return;  // it is readable already
    }
    std::deque<BusMessage> take() {
      const std::lock_guard<std::mutex> lock(mutex);
      uint64_t count;
      if (::read(event.get(), &count, sizeof count) < 0) count = 0;  // nothing has come
      return std::exchange(messages, {});
    }
  };
  struct Answer {
    nlohmann::json head = nlohmann::json::object();
    std::string bytes;
  };

  // A job that cannot be started, for example because the disk is full, is tried again.
  void look_at_jobs() {
    try {
      jobs_.look();
      said_.clear();
    } catch (const std::exception& e) {
      if (said_ == e.what()) return;
      said_ = e.what();
      std::fprintf(stderr, "%s\n", said_.c_str());
    }
  }

  void take(const BusMessage& message) {
    if (message.subject == subject_workers) {
      if (const auto worker = parsed<WorkerInfo>(message.bytes)) workers_[worker->name] = {*worker, Clock::now()};
      return;
    }
    Answer out;
    try {
      const size_t line = std::min(message.bytes.find('\n'), message.bytes.size());
      const nlohmann::json head = nlohmann::json::parse(message.bytes.substr(0, line));
      out = answer(head, std::string_view(message.bytes).substr(std::min(line + 1, message.bytes.size())));
    } catch (const Error& e) {
      out = {{{"error", e.what()}, {"code", text_of(e.code())}}, ""};
    } catch (const std::exception& e) {
      out = {{{"error", e.what()}}, ""};
    }
    bus_.publish(message.reply,
                 out.head.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n" + out.bytes);
  }

  Answer answer(const nlohmann::json& head, std::string_view bytes) {
    const std::string what = head.at("what");
    if (what == "have") return {{{"have", jobs_.has_file(head.at("sha256"))}}, ""};
    if (what == "put") {
      jobs_.put(head.at("sha256"), head.at("upload"), head.at("offset"), head.at("last"), bytes);
      return {};
    }
    if (what == "submit") return {jobs_.submit(head), ""};
    if (what == "list") return {{{"jobs", jobs_.list()}, {"workers", workers()}}, ""};
    const std::string id = head.at("id");
    if (what == "cancel") jobs_.cancel(id);
    if (what == "retry") jobs_.retry(id);
    if (what == "state") return {{{"state", jobs_.state(id)}}, ""};
    if (what == "read") return part_of(head, jobs_.files(id));
    return {{{"state", jobs_.state(id)}}, ""};
  }

  // A part of a file of a job, as much as fits into a message.
  Answer part_of(const nlohmann::json& head, const JobFiles& files) {
    const std::string file = head.at("file");
    const uint64_t offset = head.at("offset");
    std::string text;
    if (file == "output" || file == "log") {
      std::ifstream in(file == "output" ? files.output() : files.folder / "log.txt", std::ios::binary);
      if (!in) throw Error(ErrorCode::job_state_wrong, "the job has no " + file + " yet");
      in.seekg(static_cast<std::streamoff>(offset));
      text.resize(bus_.largest() / 2);
      in.read(text.data(), static_cast<std::streamsize>(text.size()));
      text.resize(static_cast<size_t>(in.gcount()));
    } else {
      const Snapshot& whole = snapshot(head, files);
      text = whole.text.substr(std::min<size_t>(offset, whole.text.size()), bus_.largest() / 2);
      return {{{"snapshot", whole.number}}, text};
    }
    return {nlohmann::json::object(), text};
  }

  // A report as it was when its first part was asked for: the parts have to fit.
  struct Snapshot {
    uint64_t number = 0;
    std::string text;
  };
  const Snapshot& snapshot(const nlohmann::json& head, const JobFiles& files) {
    if (!head.contains("snapshot")) {
      snapshots_.push_back({++last_snapshot_, head.at("file") == "json" ? report_json(files) : report_table(files)});
      if (snapshots_.size() > most_snapshots) snapshots_.pop_front();
      return snapshots_.back();
    }
    const uint64_t number = head.at("snapshot");
    for (const Snapshot& one : snapshots_)
      if (one.number == number) return one;
    throw Error(ErrorCode::server_refused, "too many reports are asked for at the same time: ask again");
  }

  nlohmann::json workers() const {
    nlohmann::json out = nlohmann::json::array();
    for (const auto& [name, known] : workers_)
      if (known.first.slots > 0 && Clock::now() - known.second < std::chrono::seconds(5))
        out.push_back(nlohmann::json(known.first));
    return out;
  }

  SignalSource signals_;  // before any thread is started
  Descriptor lock_;
  ServerProcess server_;
  Bus bus_;
  ServiceJobs jobs_;
  std::shared_ptr<Requests> requests_ = std::make_shared<Requests>();
  std::map<std::string, std::pair<WorkerInfo, Clock::time_point>> workers_;
  std::deque<Snapshot> snapshots_;
  uint64_t last_snapshot_ = 0;
  std::string said_;  // why a job was not started
  std::vector<std::unique_ptr<Bus::Listener>> listeners_;
};

}  // namespace

int run_service(const std::vector<std::string>& words) { return Service(read_service_arguments(words)).run(); }

int drive_job(const std::vector<std::string>& words) {
  if (words.size() != 2) throw Error(ErrorCode::command_unknown, "host tasks drive is started by host tasks serve");
  const JobFiles files{fs::path(words[1])};
  const std::string request = (files.folder / "request.json").string();
  const JobSettings settings = parse_json(read_file(request), request, ErrorCode::record_damaged).get<JobSettings>();
  return Driver(files, false).run(settings);
}

}  // namespace levin::core::tasks
