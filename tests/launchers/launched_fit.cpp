#include "launched_fit.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sstream>

#include "core/base/environment.hpp"
#include "core/base/text.hpp"

namespace fs = std::filesystem;
using namespace levin::core;

namespace {

const std::string fit =
    LEVIN_TEST_HOST " fit --plugins " LEVIN_TEST_PLUGINS
                    " --model plain --model.log true --data rows --data.batch_size 1" LEVIN_TEST_QUIET
                    " --logger csv --trainer.log_every_n_steps 1 --trainer.max_epochs 2 ";

// Returns the inodes of the process's open sockets.
std::set<std::string> sockets_of(const fs::path& process) {
  std::set<std::string> inodes;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(process / "fd", gone)) {
    const std::string target = fs::read_symlink(entry.path(), gone).string();
    if (starts_with(target, "socket:[")) inodes.insert(target.substr(8, target.size() - 9));
  }
  return inodes;
}

bool is_engine_in(const fs::path& process, const fs::path& folder) {
  std::error_code gone;
  std::ifstream file(process / "comm");
  std::string name;
  return std::getline(file, name) && name == "host-engine" && fs::read_symlink(process / "cwd", gone) == folder;
}

void add_listening(const fs::path& process, std::set<std::string>& addresses) {
  const auto inodes = sockets_of(process);
  for (const char* table : {"net/tcp", "net/tcp6"}) {
    std::ifstream file(process / table);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string number, local, remote, state, queues, timer, retransmissions, user, timeout, inode;
      words >> number >> local >> remote >> state >> queues >> timer >> retransmissions >> user >> timeout >> inode;
      if (state == "0A" && inodes.count(inode)) addresses.insert(local.substr(0, local.find(':')));
    }
  }
}

}  // namespace

const std::string ten_rows = "--data.train 10 --callback.model_checkpoint.save_last always ";
const std::string rests_in_epoch_1 = ten_rows + "--model.at training_step --model.epoch 1 --model.do rest ";
const std::string with_a_loss =
    "cat >job.sh <<'END'\n"
    "rank=${RANK:-${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$SLURM_PROCID}}}\n"
    "[ $rank = 1 ] && mkdir once 2>&- && (until [ -e levin_logs/version_0/checkpoints/last.ckpt ]; do sleep 0.02; "
    "done; "
    "sleep 0.2; kill -9 $$) &\nexec $fit\nEND\n";
const std::string resume_after_loss =
    LEVIN_TEST_HOST " resume levin_logs/version_0 --plugins " LEVIN_TEST_PLUGINS " --model.epoch 5";

Outcome run_script(const Sandbox& box, const std::string& script, const std::string& words) {
  std::ofstream(box.folder() / "script.sh") << script << "\n";
  Program program = box.script("ulimit -c 0 && exec sh script.sh");
  program.seconds = 120;
  program.variables["TMPDIR"] = box.folder().string();
  program.variables["fit"] = fit + with_defaults({"--trainer.accelerator cpu "}, words);
  for (const char* unset : {"RANK", "WORLD_SIZE"}) program.variables[unset] = {};
  for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}) program.variables[name] = "1";
  return run_program(std::move(program));
}

const std::string& expected_metrics(const std::string& words) {
  static std::map<std::string, std::string> all;
  if (all.count(words) == 0) {
    const Sandbox box;
    const Outcome outcome = run_script(box, "$fit --trainer.devices 2", words);
    all[words] = outcome.code == 0 ? metrics(box) : "the host's own launcher failed: " + outcome.err;
  }
  return all[words];
}

std::string metrics(const Sandbox& box, int version) { return box.read(box.run(version) / "metrics.csv"); }

bool is_one_run_of_two(const Sandbox& box) {
  return fs::exists(box.run(0) / "log.rank-1.txt") && fs::exists(box.run(0) / "log.txt") && !fs::exists(box.run(1));
}

SilentPort::SilentPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  ::listen(socket_, 8);
}
SilentPort::~SilentPort() { ::close(socket_); }

std::string SilentPort::number() const {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
  return std::to_string(ntohs(address.sin_port));
}

std::string free_port() { return SilentPort().number(); }

bool has_program(const std::string& name) { return !find_program(environment_variables(), name).empty(); }

std::set<std::string> listening(const Sandbox& box) {
  std::set<std::string> addresses;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator("/proc", gone))
    if (is_engine_in(entry.path(), box.folder())) add_listening(entry.path(), addresses);
  return addresses;
}
