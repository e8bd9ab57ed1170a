#include "tasks/nats/cluster.hpp"

#include <fcntl.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <optional>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "launch/ranks/spawn.hpp"
#include "tasks/common/random_hex.hpp"
#include "tasks/nats/nats_engine.hpp"
#include "tasks/nats/server_process.hpp"
#include "tasks/nats/worker.hpp"
#include "tasks/slurm/slurm_workers.hpp"

namespace levin::core::tasks {
namespace {

// What a host tasks worker has.
void add_resources(std::vector<std::string>& command, const Amounts& has, const std::string& labels) {
  const std::pair<const char*, uint64_t> numbers[] = {
      {"--cpus", has.cpus}, {"--gpus", has.gpus}, {"--memory_total", has.memory}};
  for (const auto& [name, number] : numbers) command.insert(command.end(), {name, std::to_string(number)});
  if (!labels.empty()) command.insert(command.end(), {"--labels", labels});
}

// A host tasks worker on this machine, for one job. It is started again if it ends.
class OwnWorker {
 public:
  OwnWorker(const BusAddress& address, const JobSettings& settings, const WorkerPlan& plan)
      : token_(address.token), log_((plan.folder / "worker.txt").string()) {
    command_ = {(exe_path().parent_path() / "host-tasks").string(),
                "worker",
                "--server",
                address.server,
                "--workers",
                std::to_string(plan.workers),
                "--name",
                "local",
                "--allow",
                settings.library,
                "--folder",
                plan.folder.string()};
    add_resources(command_, plan.machine.capacity.all, settings.labels);
    if (settings.trust) command_.push_back("--trust");
    std::filesystem::create_directories(plan.folder);
    start();
  }
  ~OwnWorker() { stop(); }

  void keep_alive() {
    if (pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) == pid_) start();
  }
  void stop() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  void start() {
    const Descriptor output(::open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!output.open()) throw Error(ErrorCode::file_not_written, log_ + " cannot be written: " + std::strerror(errno));
    Spawn what;
    what.command = command_;
    what.environment = environment_variables();
    what.environment[token_variable] = token_;
    what.out = what.err = output.get();
    sigemptyset(&what.blocked);
    pid_ = spawn(what);
  }
  std::vector<std::string> command_;
  const std::string token_, log_;
  pid_t pid_ = -1;
};

// Workers of this job that SLURM places on other machines. They end when the server has been gone for a minute.
SlurmPlan slurm_plan(const ServerProcess& server, const JobSettings& settings, const JobFiles& files,
                     const Amounts& has, const std::string& id) {
  SlurmPlan out = slurm_plan(settings, files, id);
  out.command = {(exe_path().parent_path() / "host-tasks").string(),
                 "worker",
                 "--server",
                 server.address(ServerUser::worker).server,
                 "--token_file",
                 server.token_file(ServerUser::worker).string(),
                 "--workers",
                 "1",
                 "--patience",
                 "60",
                 "--allow",
                 settings.library,
                 "--folder",
                 files.workers().string()};
  add_resources(out.command, has, settings.labels);
  if (settings.trust) out.command.push_back("--trust");
  return out;
}

// An engine with a server of its own, and a worker of this machine or workers of SLURM.
class PrivateEngine : public Engine {
 public:
  PrivateEngine(const JobSettings& settings, const JobFiles& files, const WorkerPlan& plan, JobInfo job,
                const std::string& job_id)
      : folder_(files.folder / "nats"),
        machine_(plan.machine.capacity),
        server_(folder_, settings.engine == "slurm" ? settings.listen : "127.0.0.1:0"),
        engine_(server_.address(ServerUser::service), std::move(job), "", folder_.string(), [this] {
          server_.keep_alive();
          return true;
        }) {
    if (settings.engine == "slurm")
      slurm_.emplace(slurm_plan(server_, settings, files, machine_.all, job_id));
    else
      worker_.emplace(server_.address(ServerUser::worker), settings, plan);
  }

  size_t room() const override { return engine_.room(); }
  size_t idle() const override { return engine_.idle(); }
  bool takes(const Needs& needs, const Amounts& kept) const override { return engine_.takes(needs, kept); }
  std::string unmet(const Needs& needs) const override {
    const std::string out = lacking(machine_, needs);
    return out.empty() ? "" : (slurm_ ? "a worker of SLURM lacks " : "this machine lacks ") + out;
  }
  void submit(QueuedTask task) override { engine_.submit(std::move(task)); }
  size_t running() const override { return engine_.running(); }
  std::vector<TaskEvent> wait(std::chrono::milliseconds time, int wake) override {
    server_.keep_alive();
    if (worker_) worker_->keep_alive();
    if (slurm_) slurm_->keep_alive();
    std::vector<TaskEvent> out = engine_.wait(time, wake);
    if (slurm_) {
      for (const TaskEvent& event : out) {
        if (event.how == Ended::result) slurm_->has_result();
        if (event.how == Ended::lost) slurm_->has_loss();
      }
    }
    return out;
  }
  void recorded() override { engine_.recorded(); }
  void hold() override { engine_.hold(); }
  void stop() override {
    worker_.reset();
    slurm_.reset();
    server_.stop();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

 private:
  const std::filesystem::path folder_;
  const Capacity machine_;
  ServerProcess server_;
  NatsEngine engine_;
  std::optional<OwnWorker> worker_;
  std::optional<SlurmWorkers> slurm_;
};

}  // namespace

void require_nats() {}

std::unique_ptr<Engine> make_nats_engine(const JobSettings& settings, const JobFiles& files, const WorkerPlan& plan,
                                         const std::string& id, const std::vector<std::string>& needs) {
  JobInfo job;
  job.id = id;
  job.session = random_hex(8);
  job.sha256 = settings.sha256;
  job.signature = settings.signature;
  job.file_name = std::filesystem::path(settings.library).filename().string();
  job.component = settings.component;
  job.options = settings.options;
  job.attempts = static_cast<uint32_t>(settings.attempts);
  job.time_limit = settings.time_limit;
  job.max_size = plan.max_size;
  job.priority = settings.priority;
  job.memory = static_cast<uint64_t>(settings.memory) << 20;
  for (const std::string& text : needs)
    if (!text.empty()) job.needs.push_back(text);
  if (settings.server.empty()) return std::make_unique<PrivateEngine>(settings, files, plan, std::move(job), id);
  BusAddress address = address_of(settings);
  address.own_server = settings.own_server;
  return std::make_unique<NatsEngine>(address, std::move(job), settings.library, "", [] { return true; });
}

}  // namespace levin::core::tasks
