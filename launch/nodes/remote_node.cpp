#include "launch/nodes/remote_node.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <utility>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"
#include "launch/common/shell_quote.hpp"
#include "launch/output/terminal.hpp"
#include "launch/ranks/spawn.hpp"

namespace levin::core {
namespace {

constexpr std::chrono::seconds alive_interval{5};
constexpr std::chrono::seconds longest_end{150};  // longer than an agent gives its ranks

// BatchMode, because a question could not be answered: the terminal belongs to the launcher's process group.
const char* const usual =
    "ssh -T -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=5 -o ServerAliveCountMax=3";

}  // namespace

RemoteNode::RemoteNode(EventLoop& loop, RankEvents& events, const NodeTask& task, Reach reach)
    : loop_(loop), events_(events), task_(task), reach_(std::move(reach)), left_(task.ranks) {
  Pipe in, out, err;
  ssh_ = spawn({reach_.command, environment_variables(), in.read_end.get(), out.write_end.get(), err.write_end.get(),
                /*kept=*/{}});
  to_ = std::move(in.write_end);
  from_ = std::move(out.read_end);
  remarks_ = std::move(err.read_end);
  for (const Descriptor* d : {&to_, &from_, &remarks_}) set_nonblocking(d->get());
  loop_.watch(from_.get(), [this] { read_frames(); });
  loop_.watch(remarks_.get(), [this] { read_remarks(); });
  send({"task", 0, 0, nlohmann::json(task_).dump()});
  keep_alive();
}

RemoteNode::~RemoteNode() {
  if (runs_) ::kill(-ssh_, SIGKILL);
  for (const Descriptor* d : {&from_, &remarks_})
    if (d->open()) loop_.forget(d->get());
  if (runs_) ::waitpid(ssh_, nullptr, 0);
}

bool RemoteNode::has(int rank) const { return rank >= task_.first_rank && rank < task_.first_rank + task_.ranks; }
void RemoteNode::say(int rank, const std::string& line) { send({"say", rank, 0, line}); }
void RemoteNode::signal(int signal) { send({"signal", 0, signal, ""}); }

void RemoteNode::end() {
  send({"end", 0, 0, ""});
  loop_.after(longest_end, [this] { kill(); });
}

// The agent kills its ranks on "kill" and when its input ends.
void RemoteNode::kill() {
  send({"kill", 0, 0, ""});
  to_.reset();
  const auto kill_ssh = [this] {
    if (runs_) ::kill(-ssh_, SIGKILL);
  };
  if (!has_greeted_) return kill_ssh();
  loop_.after(alive_interval, kill_ssh);
}

void RemoteNode::send(const Frame& frame) {
  if (to_.open() && !write_within_patience(to_.get(), to_bytes(frame))) to_.reset();
}

// Without messages the agent would treat the launcher as lost.
void RemoteNode::keep_alive() {
  if (!to_.open()) return;
  loop_.after(alive_interval, [this] {
    send({"alive", 0, 0, ""});
    keep_alive();
  });
}

void RemoteNode::read_frames() {
  std::string bytes;
  if (!read_available(from_.get(), bytes)) loop_.forget(from_.get());
  take(bytes);
}

void RemoteNode::take(std::string_view bytes) {
  if (has_greeted_)
    frames_.add(bytes);
  else
    before_greeting_ += bytes;
  try {
    if (!greeted()) return;
    while (const auto frame = frames_.next()) handle(*frame);
  } catch (const Error& e) {
    lose(e.code(), e.what());
    kill();
  }
}

bool RemoteNode::greeted() {
  while (!has_greeted_) {
    const size_t end = before_greeting_.find('\n');
    if (end == std::string::npos) return false;
    const std::string line = before_greeting_.substr(0, end);
    before_greeting_.erase(0, end + 1);
    if (!starts_with(line, "levin node ")) {
      remark(line);
      continue;
    }
    if (line != agent_greeting())
      throw Error(ErrorCode::version_differs, reach_.agent + " has another version there, " + line.substr(11) +
                                                  "; install the same version on every machine");
    has_greeted_ = true;
    frames_.add(std::exchange(before_greeting_, {}));
  }
  return true;
}

void RemoteNode::handle(const Frame& frame) {
  const auto& [name, rank, number, bytes] = frame;
  if (name == "refused") return lose(static_cast<ErrorCode>(number), bytes);
  if (!has(rank)) throw Error(ErrorCode::internal_error, "the agent reports an unknown rank " + std::to_string(rank));
  if (name == "started") events_.started(rank, static_cast<pid_t>(number));
  if (name == "wrote") events_.wrote(rank, number == 1 ? 1 : 2, bytes);
  if (name == "said") events_.said(rank, bytes);
  if (name == "stopped") events_.stopped(rank, static_cast<int>(number));
  if (name != "ended") return;
  --left_;
  events_.ended(rank, static_cast<int>(number));
}

void RemoteNode::read_remarks() {
  std::string bytes;
  if (!read_available(remarks_.get(), bytes)) loop_.forget(remarks_.get());
  for (const auto& line : remark_lines_.add(bytes)) remark(line);
}

void RemoteNode::remark(const std::string& line) const { print_line(2, "[node " + reach_.host + "] " + line); }

void RemoteNode::lose(ErrorCode code, const std::string& why) {
  if (!std::exchange(is_lost_, true)) events_.lost(task_.node, code, why);
}

void RemoteNode::look_at_children() {
  int status = 0;
  if (!runs_ || ::waitpid(ssh_, &status, WNOHANG) != ssh_) return;
  for (int i = 0; i < 64; ++i) {  // reads the rest in the pipes
    std::string bytes;
    if (!from_.open() || !read_available(from_.get(), bytes) || bytes.empty()) break;
    take(bytes);
  }
  read_remarks();
  for (const auto& line : remark_lines_.rest()) remark(line);
  ssh_ended(status);
}

void RemoteNode::ssh_ended(int status) {
  runs_ = false;
  for (const Descriptor* d : {&from_, &remarks_}) loop_.forget(d->get());
  to_.reset();
  if (left_ == 0) return;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  const std::string by =
      WIFEXITED(status) ? "ended with code " + std::to_string(code) : "was ended by " + signal_name(WTERMSIG(status));
  if (code == 127 || code == 126)
    return lose(ErrorCode::installation_incomplete,
                "there is no program " + reach_.agent + " there (code " + std::to_string(code) +
                    "); Levin and the plugins must be at the same paths on every machine");
  if (!has_greeted_)
    return lose(ErrorCode::machine_unreachable, "it cannot be reached: " + reach_.command[0] + " " + by +
                                                    "; `ssh HOST true` must work without a prompt");
  lose(ErrorCode::machine_unreachable, "the connection is lost: " + reach_.command[0] + " " + by);
}

std::vector<std::string> ssh_command(const std::string& given, const std::string& host,
                                     const std::vector<std::string>& agent) {
  std::vector<std::string> out;
  for (const auto& word : split(trim(given).empty() ? usual : given, ' '))
    if (!word.empty()) out.push_back(word);
  out.push_back(host);
  out.push_back("exec " + shell_quote(agent));
  return out;
}

}  // namespace levin::core
