#include "slurm_cluster.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "core/base/environment.hpp"
#include "core/base/text.hpp"

namespace fs = std::filesystem;
using namespace levin::core;

namespace {

// Returns ports that are currently free.
std::vector<int> free_ports(size_t count) {
  std::vector<int> sockets, ports;
  for (size_t i = 0; i < count; ++i) {
    sockets.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const auto any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(sockets.back(), any, size) == 0 && ::getsockname(sockets.back(), any, &size) == 0)
      ports.push_back(ntohs(address.sin_port));
  }
  for (const int socket : sockets) ::close(socket);
  return ports;
}

std::string program(const char* name) {
  EnvironmentVariables variables = environment_variables();
  variables["PATH"] += ":/usr/sbin:/sbin";
  return find_program(variables, name);
}

std::string configuration(const fs::path& folder, const std::vector<int>& ports) {
  const std::string s = folder.string();
  return "ClusterName=levin\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort=" + std::to_string(ports[0]) +
         "\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\nAuthInfo=socket=" + s +
         "/munge.sock,cred_expire=5\nStateSaveLocation=" + s + "/state\nSlurmdSpoolDir=" + s +
         "/spool.%n\nSlurmctldPidFile=" + s + "/slurmctld.pid\nSlurmdPidFile=" + s +
         "/slurmd.%n.pid\nSlurmctldLogFile=" + s + "/slurmctld.log\nSlurmdLogFile=" + s +
         "/slurmd.%n.log\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
         "JobAcctGatherType=jobacct_gather/none\nSwitchType=switch/none\nReturnToService=2\nSlurmdTimeout=10\n"
         "KillWait=2\nJobRequeue=1\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
         "SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0\n"
         "SlurmdParameters=config_overrides\nNodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=" +
         std::to_string(ports[1]) +
         " CPUs=2 RealMemory=1000\nNodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=" +
         std::to_string(ports[2]) +
         " CPUs=2 RealMemory=1000\nPartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";
}

void write_key(const fs::path& file) {
  std::ofstream(file) << std::string(64, 'k') << ::getpid();
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace

std::string SlurmCluster::obstacle() {
  if (::geteuid() != 0) return "a cluster of SLURM is started by root only";
  for (const char* name : {"munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol"})
    if (program(name).empty()) return std::string("there is no program ") + name + " (slurm-wlm and munge)";
  return "";
}

SlurmCluster::SlurmCluster() {
  const std::string s = folder_.path().string();
  fs::permissions(folder_.path(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  write_key(folder_ / "munge.key");
  std::ofstream(folder_ / "slurm.conf") << configuration(folder_.path(), free_ports(3));
  ::setenv("SLURM_CONF", (s + "/slurm.conf").c_str(), 1);
  start({program("munged"), "--foreground", "--force", "--key-file=" + s + "/munge.key",
         "--socket=" + s + "/munge.sock", "--pid-file=" + s + "/munged.pid", "--log-file=" + s + "/munged.log",
         "--seed-file=" + s + "/munge.seed"});
  for (int i = 0; i < 100 && !fs::exists(folder_ / "munge.sock"); ++i) ::usleep(50000);
  start({program("slurmctld"), "-D", "-c"});
  for (const char* node : {"n1", "n2"}) start({program("slurmd"), "-D", "-N", node});
  for (int i = 0; i < 200 && !is_ready(); ++i) ::usleep(100000);
  if (!is_ready())
    problem_ = "the nodes are not idle: " + ask("sinfo -N -h -o '%N %T %E' 2>&1; tail -3 " + s + "/*.log");
}

SlurmCluster::~SlurmCluster() {
  ask("scancel --state=RUNNING --full; scancel --state=PENDING; true");
  for (auto child = children_.rbegin(); child != children_.rend(); ++child) {
    ::kill(*child, SIGTERM);
    for (int i = 0; i < 50 && ::waitpid(*child, nullptr, WNOHANG) == 0; ++i) ::usleep(100000);
    ::kill(*child, SIGKILL);
    ::waitpid(*child, nullptr, WNOHANG);
  }
}

void SlurmCluster::start(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) {
    children_.push_back(child);
    return;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int null = ::open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) ::dup2(null, fd);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

std::string SlurmCluster::ask(const std::string& command) const {
  return run_program({shell_command(environment() + "; " + command), folder_.path()}).out;
}

bool SlurmCluster::is_ready() const { return trim(ask("sinfo -h -t idle -o %D 2>/dev/null")) == "2"; }

bool SlurmCluster::is_empty_within(int seconds) const {
  for (int i = 0; i < 5 * seconds; ++i) {
    if (trim(ask("squeue -h 2>&1")).empty()) return true;
    ::usleep(200000);
  }
  return false;
}
