#include "sweep/trial/trial_session.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/stop_signals.hpp"
#include "core/base/text.hpp"
#include "launch/common/descriptor.hpp"
#include "sweep/run/trial_command.hpp"

namespace levin::core::sweep {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t longest_line = 1 << 20;

// Returns a name that no other trial in the folder has. Trials of other processes may begin at the same time.
std::string new_name(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder / "output", failed);
  for (int64_t n = 0;; ++n) {
    const std::string name = "trial_" + std::to_string(n);
    if (fs::exists(fs::symlink_status(folder / name, failed))) continue;
    const fs::path output = folder / "output" / (name + ".txt");
    if (Descriptor(::open(output.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)).open()) return name;
    if (errno != EEXIST)
      throw Error(ErrorCode::file_not_written, output.string() + " cannot be written: " + std::strerror(errno));
  }
}

}  // namespace

TrialSession::TrialSession(TrialArguments arguments)
    : arguments_(std::move(arguments)), signals_({SIGINT, SIGTERM, SIGHUP}), open_(!arguments_.params) {
  if (arguments_.params) waiting_.push_back(*arguments_.params);
}

TrialSession::~TrialSession() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

int TrialSession::run() {
  while (true) {
    if (!plan_ && signal_ == 0 && !waiting_.empty()) {
      const json params = waiting_.front();
      waiting_.pop_front();
      start(params);
    }
    if (!plan_ && (signal_ != 0 || (waiting_.empty() && !open_))) break;
    wait();
    handle_signals();
    if (plan_) report_values();
    if (plan_) reap();
  }
  return signal_ != 0 ? code_of_stop(signal_) : failed_ ? static_cast<int>(ErrorKind::run) : 0;
}

void TrialSession::wait() {
  if (!plan_ && !waiting_.empty()) return;
  pollfd fds[] = {{signals_.fd(), POLLIN, 0}, {open_ ? STDIN_FILENO : -1, POLLIN, 0}};
  ::poll(fds, 2, plan_ ? 100 : -1);
  if (fds[1].revents != 0) read_input();
}

void TrialSession::read_input() {
  open_ = read_available(STDIN_FILENO, input_);
  for (size_t end; (end = input_.find('\n')) != std::string::npos; input_.erase(0, end + 1)) {
    ++lines_;
    handle_line(input_.substr(0, end));
  }
  if (!open_ && !trim(input_).empty()) handle_line(std::exchange(input_, ""));
  if (input_.size() > longest_line)
    refuse_trial(ErrorCode::option_value_invalid, "a line of the input is longer than 1 MiB");
}

void TrialSession::handle_line(const std::string& line) {
  if (trim(line).empty()) return;
  const std::string where = "line " + std::to_string(lines_) + " of the input";
  const json message = parse_json(line, where);
  if (message == json{{"stop", true}}) {
    if (plan_ && waiting_.empty()) stop(SIGTERM);  // else it comes too late
    return;
  }
  if (!message.is_object() || message.size() != 1 || !message.contains("params"))
    refuse_trial(ErrorCode::option_value_invalid,
                 where + R"( has to be {"params": {"model.lr": 0.01}} or {"stop": true})");
  words_of_params(message["params"]);
  waiting_.push_back(message["params"]);
}

// The first signal lets the trial save a checkpoint. A second one ends it at once.
void TrialSession::handle_signals() {
  for (const int signal : signals_.read()) {
    if (signal == SIGCHLD) continue;
    if (plan_) stop(signal_ != 0 ? SIGKILL : SIGTERM);
    signal_ = signal;
  }
}

void TrialSession::stop(int signal) {
  stopping_ = true;
  ::kill(pid_, signal);
}

RunPlan TrialSession::plan_of(const json& params) const {
  RunPlan out;
  out.command = arguments_.command;
  out.values = words_of_params(params);
  std::vector<std::string> all = out.command;
  all.insert(all.end(), out.values.begin(), out.values.end());
  const TrialsFolder folder = take_trials_folder(out.command, checked_fit(all));
  out.root = folder.root;
  out.log_name = folder.log_name;
  const fs::path parent = fs::path(out.root) / out.log_name;
  out.name = new_name(parent);
  out.folder = parent / out.name;
  out.output = parent / "output" / (out.name + ".txt");
  return out;
}

void TrialSession::start(const json& params) {
  stopping_ = false;
  reported_ = 0;
  try {
    const RunPlan plan = plan_of(params);
    pid_ = start_run(plan);
    plan_ = plan;
  } catch (const Error& e) {
    RunResult refused;
    refused.problem = e.what();
    refused.code = text_of(e.code());
    return end(refused, "failed");
  }
  metrics_ = std::make_unique<MetricReader>(plan_->folder);
  print({{"event", "start"}, {"run", plan_->folder.string()}});
}

void TrialSession::report_values() {
  metrics_->update();
  const auto found = metrics_->metrics().find(arguments_.metric);
  if (found == metrics_->metrics().end()) return;
  const MetricHistory& history = found->second;
  for (; reported_ < history.values.size(); ++reported_) {
    const double epoch = history.epochs[reported_];
    print({{"event", "value"},
           {"value", number_to_json(history.values[reported_])},
           {"epoch", std::isfinite(epoch) ? json(static_cast<int64_t>(epoch) + 1) : json(nullptr)},
           {"step", static_cast<int64_t>(history.steps[reported_])}});
  }
}

void TrialSession::reap() {
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return;
  pid_ = -1;
  report_values();
  RunResult result = read_result(plan_->folder, arguments_.metric, arguments_.maximizes);
  const bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!ended) {
    const ErrorText said = was_stopped(status) ? ErrorText{"", way_of_ending(status)} : last_problem(plan_->output);
    result.problem = said.message;
    result.code = said.code;
  }
  if (ended && result.how == RunResult::How::done) return end(result, "complete");
  end(result, stopping_ && was_stopped(status) ? "stopped" : "failed");
}

void TrialSession::end(const RunResult& result, const char* state) {
  json event = {{"event", "end"}, {"state", state}};
  event["value"] = result.value ? json(*result.value) : json(nullptr);
  event["run"] = plan_ ? json(plan_->folder.string()) : json(nullptr);
  failed_ = failed_ || std::strcmp(state, "failed") == 0;
  if (std::strcmp(state, "failed") == 0) {
    event["error"] = result.problem;
    event["code"] = result.code.empty() ? json(nullptr) : json(result.code);
  }
  plan_.reset();
  print(event);
}

// Throws Error{run} if nobody reads the output any more.
void TrialSession::print(const json& event) const {
  const std::string line = event.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  if (std::fputs(line.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    throw Error(ErrorCode::file_not_written,
                std::string("host trial: the output cannot be written: ") + std::strerror(errno));
}

}  // namespace levin::core::sweep
