// The library by which a trial is a task of a worker on another machine. The file of the job describes the run of the
// trial; sweep/run/trial_job.cpp writes it.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <levin/tasks.hpp>
#include <nlohmann/json.hpp>

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Words = std::vector<std::string>;

constexpr uint32_t attempts = 3;  // of a task, as `host tasks` has it by default

// The host of the worker's installation: the worker is libexec/levin/host-tasks-worker.
std::string host_program() {
  return (fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path() / "bin" / "host").string();
}

void require(bool holds, const std::string& what) {
  if (!holds) throw levin::Error(LEVIN_E_INVALID, what);
}

// Runs in the child after fork, where only async-signal-safe functions may be called.
[[noreturn]] void execute(char* const* words, int output, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(126);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  dup2(open("/dev/null", O_RDONLY), 0);
  dup2(output, 1);
  dup2(output, 2);
  execv(words[0], words);
  _exit(127);
}

// Returns the status of waitpid.
int run(const Words& words, const std::string& output) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  fs::create_directories(fs::path(output).parent_path());
  const int fd = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) throw levin::Error(LEVIN_E_IO, output + " cannot be written: " + std::strerror(errno));
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) execute(pointers.data(), fd, parent);
  close(fd);
  if (pid < 0) throw levin::Error(LEVIN_E_IO, std::string("cannot start a process: ") + std::strerror(errno));
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

class Trial : public levin::Tasks {
 public:
  void read(const std::string& file, levin::TaskList& tasks) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const json job = json::parse(text, nullptr, false);
    require(in.good() && job.is_object() && job.contains("start"), file + " describes no trial");
    levin::TaskOptions options;
    options.name = "trial";
    options.gpus = job.at("gpus").get<uint32_t>();
    tasks.add(text, options);
  }

  // Ends normally if the fit has failed, since it would fail again. Throws if its process was stopped or killed: the
  // next attempt resumes the run. The last attempt ends normally in any case.
  json handle(const levin::Task& task) {
    const json job = task.json<json>();
    const std::string where = job.at("where"), folder = job.at("folder");
    if (chdir(where.c_str()) != 0)
      throw levin::Error(LEVIN_E_IO, "this machine has no folder " + where + ", where the sweep was started");
    const bool goes_on = fs::exists(fs::path(folder) / "config.json");
    Words words = {host_program()};
    for (const json& word : job.at(goes_on ? "resume" : "start")) words.push_back(word);
    const int status = run(words, job.at("output"));
    if (WIFSIGNALED(status) && task.attempt() >= attempts) return {{"exit", 128 + WTERMSIG(status)}};
    if (WIFSIGNALED(status))
      throw levin::Error(LEVIN_E_IO,
                         "the process of the trial was killed by signal " + std::to_string(WTERMSIG(status)));
    const int code = WEXITSTATUS(status);
    if ((code == 75 || code > 125) && task.attempt() < attempts)
      throw levin::Error(LEVIN_E_IO, "the process of the trial ended with exit code " + std::to_string(code));
    return {{"exit", code}};
  }

  std::string sum(levin::Results& results) {
    levin::Result result;
    return results.next(result) ? result.text() : "";
  }
};

}  // namespace

LEVIN_PLUGIN("levin.sweep_trial", "0.1.0", "Apache-2.0", levin::tasks<Trial>("trial", "Runs a trial of a sweep"))
