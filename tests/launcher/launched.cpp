#include "launched.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

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

Program Launched::program(const Launch& launch) const {
  std::string ssh;
  if (!launch.ssh.empty()) {
    ssh = folder_.write("ssh", launch.ssh);
    fs::permissions(ssh, fs::perms::owner_all);
  }
  fs::create_directories(folder() / "notes");
  const std::string config =
      folder_.write("config.json", to_json(fake_config(launch.ranks, launch.max_restarts)).dump());
  Program program{{LEVIN_TEST_LAUNCHER, config, launch.hosts, ssh}, folder()};
  program.command.insert(program.command.end(), launch.steps.begin(), launch.steps.end());
  for (const char* unset : {"RANK", "WORLD_SIZE", "OMP_NUM_THREADS", "MASTER_PORT"}) program.variables[unset] = {};
  program.variables["FAKE_LOG"] = folder_.file("notes");
  for (const auto& [variable, value] : launch.environment) program.variables[variable] = value;
  if (launch.nobody_reads) program.output = Program::Output::pipe;
  return program;
}

Launched::Launched(const Launch& launch) {
  if (pipe(given_) != 0) throw std::runtime_error("there is no pipe");
  fcntl(given_[0], F_SETFD, FD_CLOEXEC);
  process_.emplace(program(launch));
  close(given_[1]);
}

Launched::~Launched() { close(given_[0]); }

bool Launched::lets_go() const {
  pollfd pipe{given_[0], 0, 0};
  return poll(&pipe, 1, 20000) == 1 && (pipe.revents & POLLHUP) != 0;
}

std::vector<std::string> Launched::notes(int rank, size_t at_least) const {
  const fs::path file = folder() / "notes" / std::to_string(rank);
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
    all = err();
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
