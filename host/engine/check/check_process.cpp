#include "host/engine/check/check_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>
#include <optional>

#include "core/base/emergency_output.hpp"
#include "core/base/error_line.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"
#include "host/engine/crash/crash.hpp"

namespace levin::core {
namespace {

using Clock = std::chrono::steady_clock;

struct Ends {
  int read = -1, write = -1;
  Ends() {
    int both[2];
    if (pipe2(both, O_CLOEXEC) != 0)
      throw Error(ErrorCode::system_call_failed, std::string("cannot make a pipe: ") + std::strerror(errno));
    read = both[0], write = both[1];
  }
  ~Ends() {
    close_end(read);
    close_end(write);
  }
  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

class SharedPage {
 public:
  SharedPage() {
    void* memory = mmap(nullptr, sizeof(CallPage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw Error(ErrorCode::system_call_failed, "no memory for a page that processes share");
    page_ = new (memory) CallPage;
  }
  ~SharedPage() { munmap(page_, sizeof(CallPage)); }
  CallPage& operator*() const { return *page_; }
  CallPage* operator->() const { return page_; }

 private:
  CallPage* page_;
};

// Returns the seconds in which the main thread of a process was ready and waited for a processor; 0 = not known.
double waited_for_processor(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/schedstat");
  double on_processor = 0, waited = 0;  // in nanoseconds
  return in >> on_processor >> waited ? waited / 1e9 : 0;
}

void send(int fd, const char* kind, const Finding& verdict) {
  const std::string line =
      nlohmann::json{{kind, verdict}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  for (size_t done = 0; done < line.size();) {
    const ssize_t n = write(fd, line.data() + done, line.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) end_process(1);  // the parent has closed the pipe
    done += static_cast<size_t>(n);
  }
}

// One child process that runs rules.
class Attempt {
 public:
  Attempt(const CheckProcess& check, const std::vector<Finding>& known) : check_(check) {
    std::fflush(nullptr);
    pid_ = fork();
    if (pid_ < 0)
      throw Error(ErrorCode::system_call_failed, std::string("cannot start a process: ") + std::strerror(errno));
    if (pid_ == 0) inside(known);
    Ends::close_end(results_.write);
    Ends::close_end(errors_.write);
  }

  // Adds the child's findings. Returns false if the child ended within a rule, so that there are more rules.
  bool collect(std::vector<Finding>& verdicts) {
    listen(verdicts);
    const int status = reap();
    if (done_) return true;
    Finding verdict =
        running_.value_or(Finding{0, "between two rules, while data for it is searched", Result::fail, ""});
    verdict.result = Result::fail;
    verdict.text = how_it_ended(status);
    check_.noise(noise_);
    check_.told(verdict);
    verdicts.push_back(verdict);
    return !running_;
  }

 private:
  [[noreturn]] void inside(const std::vector<Finding>& known) {
    const struct rlimit none { 0, 0 };
    setrlimit(RLIMIT_CORE, &none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(errors_.write, STDOUT_FILENO);
    dup2(errors_.write, STDERR_FILENO);
    guard_exit_of_this_process();
    const int to = results_.write;
    Report report(
        known, [to](const Finding& v) { send(to, "begins", v); }, [to](const Finding& v) { send(to, "ends", v); });
    int code = 0;
    try {
      const CallRecorder recorder(*page_);
      check_.rules(report, recorder);
      send(to, "done", {});
    } catch (const std::exception& e) {
      report_error(e, "host check");
      code = 1;
    }
    std::fflush(nullptr);
    end_process(code);
  }

  void listen(std::vector<Finding>& verdicts) {
    auto moved = Clock::now();
    double waited = waited_for_processor(pid_);
    uint64_t changes = page_->changes;
    pollfd in[2] = {{results_.read, POLLIN, 0}, {errors_.read, POLLIN, 0}};
    while (in[0].fd >= 0) {
      if (poll(in, 2, 100) < 0 && errno != EINTR) return;
      const bool moves = in[0].revents != 0 || page_->changes != changes;
      if (in[0].revents) take(in[0], lines_);
      if (in[1].revents) take(in[1], noise_);
      read_lines(verdicts);
      const double waits = waited_for_processor(pid_);
      if (moves) moved = Clock::now(), changes = page_->changes, waited = waits;
      // On a machine with more work than processors, a slow call is no hang.
      const double silent = std::chrono::duration<double>(Clock::now() - moved).count() - (waits - waited);
      if (silent < check_.seconds) continue;
      hangs_ = true;
      return;
    }
  }

  static void take(pollfd& in, std::string& to) {
    char buffer[16384];
    const ssize_t n = read(in.fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) return;
    if (n <= 0) {
      in.fd = -1;
      return;
    }
    to.append(buffer, static_cast<size_t>(n));
    in.revents = 0;
  }

  void read_lines(std::vector<Finding>& verdicts) {
    for (size_t end; (end = lines_.find('\n')) != std::string::npos; lines_.erase(0, end + 1)) {
      const nlohmann::json line = nlohmann::json::parse(lines_.substr(0, end));
      if (line.contains("done")) done_ = true;
      if (line.contains("begins")) running_ = line["begins"].get<Finding>();
      if (!line.contains("ends")) continue;
      verdicts.push_back(line["ends"].get<Finding>());
      check_.told(verdicts.back());
      running_.reset();
    }
  }

  int reap() {
    if (hangs_) kill(pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    kill(-pid_, SIGKILL);  // also ends processes started by plugins
    fcntl(errors_.read, F_SETFL, O_NONBLOCK);
    for (pollfd in{errors_.read, POLLIN, 0}; in.fd >= 0 && poll(&in, 1, 0) > 0;) take(in, noise_);
    return status;
  }

  // Returns the error line of the crash handler if there is one. A process that was killed has none.
  std::string how_it_ended(int status) const {
    const std::string call = page_->text;
    const std::string where = call.empty() ? " in no call of a plugin" : " in " + call;
    if (hangs_) {
      char seconds[32];
      std::snprintf(seconds, sizeof seconds, "%g", check_.seconds);
      return std::string("hangs: nothing happened for ") + seconds + " s" + where + "; it was killed";
    }
    for (const std::string& line : split(noise_, '\n'))
      if (const ErrorText error = read_error_line(line)) return error.message;
    if (WIFSIGNALED(status))
      return "was killed by " + signal_name(WTERMSIG(status)) + where +
             (WTERMSIG(status) == SIGKILL ? "; the memory may have run out" : "");
    return "the process ended" + where + ", with exit code " + std::to_string(WEXITSTATUS(status));
  }

  const CheckProcess& check_;
  SharedPage page_;
  Ends results_, errors_;
  pid_t pid_;
  std::string lines_, noise_;
  std::optional<Finding> running_;
  bool done_ = false, hangs_ = false;
};

}  // namespace

void CheckProcess::run() const {
  std::vector<Finding> verdicts;
  while (!Attempt(*this, verdicts).collect(verdicts)) {
  }
}

}  // namespace levin::core
