#include "launched.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/config/trainer/trainer_options.hpp"

namespace fs = std::filesystem;
using namespace levin::core;

namespace {

bool wait_until(const std::function<bool()>& holds) {
  for (int i = 0; i < 4000; ++i) {
    if (holds()) return true;
    usleep(5000);
  }
  return false;
}

void redirect(const fs::path& file, int to) {
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(fd, to);
  close(fd);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const auto& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

std::string write_script(const fs::path& folder, const std::string& text) {
  if (text.empty()) return "";
  const fs::path file = folder / "ssh";
  std::ofstream(file) << text;
  fs::permissions(file, fs::perms::owner_all);
  return file.string();
}

}  // namespace

RunConfig fake_config(int ranks, int max_restarts) {
  RunConfig config;
  config.command = Command::fit;
  config.model = {"net", "/nowhere/libnet.so", "net", nlohmann::json::object(), "", ""};
  config.trainer = resolve_trainer({}, {});
  config.trainer["devices"] = ranks;
  config.trainer["max_restarts"] = max_restarts;
  return config;
}

Launched::Launched(const Launch& launch) {
  char name[] = "/tmp/levin_launch_XXXXXX";
  folder_ = mkdtemp(name);
  fs::create_directories(folder_ / "notes");
  std::ofstream(folder_ / "config.json") << to_json(fake_config(launch.ranks, launch.max_restarts)).dump();
  std::vector<std::string> words = {LEVIN_TEST_LAUNCHER, (folder_ / "config.json").string(), launch.hosts,
                                    write_script(folder_, launch.ssh)};
  words.insert(words.end(), launch.steps.begin(), launch.steps.end());
  if (launch.nobody_reads && pipe2(unread_, O_CLOEXEC) != 0) return;
  if (pipe2(given_, O_CLOEXEC) != 0) return;
  pid_ = fork();
  if (pid_ != 0) {
    close(unread_[1]);
    close(given_[1]);
    return;
  }
  fcntl(given_[1], F_SETFD, 0);
  for (const char* variable : {"RANK", "WORLD_SIZE", "OMP_NUM_THREADS", "MASTER_PORT"}) unsetenv(variable);
  setenv("FAKE_LOG", (folder_ / "notes").c_str(), 1);
  for (const auto& [variable, value] : launch.environment) setenv(variable.c_str(), value.c_str(), 1);
  redirect(folder_ / "out.txt", 1);
  redirect(folder_ / "err.txt", 2);
  if (launch.nobody_reads) dup2(unread_[1], 1), dup2(unread_[1], 2);
  const auto argv = pointers(words);
  execv(argv[0], argv.data());
  _exit(127);
}

Launched::~Launched() {
  if (pid_ > 0) kill(pid_, SIGKILL);
  code();
  close(unread_[0]);
  close(given_[0]);
  fs::remove_all(folder_);
}

int Launched::code() {
  if (pid_ < 0) return -1;
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool Launched::lets_go() const {
  pollfd pipe{given_[0], 0, 0};
  return poll(&pipe, 1, 20000) == 1 && (pipe.revents & POLLHUP) != 0;
}

std::string Launched::read_late() {
  std::string all;
  char buffer[65536];
  for (ssize_t n; (n = read(unread_[0], buffer, sizeof buffer)) > 0;) all.append(buffer, static_cast<size_t>(n));
  return all;
}

std::string Launched::out() const { return read_file(folder_ / "out.txt"); }
std::string Launched::err() const { return read_file(folder_ / "err.txt"); }

std::vector<std::string> Launched::notes(int rank, size_t at_least) const {
  const fs::path file = folder_ / "notes" / std::to_string(rank);
  std::vector<std::string> lines;
  wait_until([&] {
    if (fs::exists(file)) lines = split(read_file(file), '\n');
    if (!lines.empty()) lines.pop_back();
    return lines.size() >= at_least;
  });
  return lines;
}

pid_t Launched::pid_of(int rank, size_t attempt) const {
  pid_t found = -1;
  wait_until([&] {
    size_t n = 0;
    for (const auto& line : notes(rank, 1))
      if (starts_with(line, "pid ") && n++ == attempt) found = std::stoi(line.substr(4));
    return found > 0;
  });
  return found;
}

std::string Launched::err_with(const std::string& text) const {
  std::string all;
  wait_until([&] {
    all = fs::exists(folder_ / "err.txt") ? err() : "";
    return all.find(text) != std::string::npos;
  });
  return all;
}

bool runs(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return static_cast<bool>(file >> number >> name >> state) && state != "Z" && state != "X";
}

bool ends_soon(pid_t pid) {
  return wait_until([pid] { return !runs(pid); });
}
