// Two machines, simulated by network namespaces, with a cable between them that can be cut, or a slow one.
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <memory>

#include "core/base/text.hpp"
#include "launched_fit.hpp"
#include "skipped.hpp"
#include "slow_cable.hpp"

using namespace levin::core;

namespace {

bool shell(const std::string& command) { return system(("(" + command + ") >/dev/null 2>&1").c_str()) == 0; }

// The addresses are 10.213.7.1 and 10.213.7.2.
class TwoMachines {
 public:
  TwoMachines() {
    there_are_ =
        add() && shell("ip link add v1 netns " + name_ + "n1 type veth peer name v2 netns " + name_ + "n2") && start();
  }
  // With a slow cable.
  explicit TwoMachines(std::chrono::milliseconds delay) {
    if (!add()) return;
    cable_ = std::make_unique<SlowCable>(name_ + "n1", name_ + "n2", delay, 25);
    there_are_ = cable_->is_there() && start();
  }
  ~TwoMachines() { shell("ip netns del " + name_ + "n1; ip netns del " + name_ + "n2"); }
  TwoMachines(const TwoMachines&) = delete;
  TwoMachines& operator=(const TwoMachines&) = delete;

  bool there_are() const {
    if (!there_are_)
      skipped("no test of two machines: there are no network namespaces here (root, iproute2" +
              std::string(cable_ ? ", /dev/net/tun" : "") + ")");
    return there_are_;
  }
  // Writes a program that is called like ssh, with a machine's address and a command. Each machine has its own host
  // name.
  void write_ssh(const Sandbox& box) const {
    std::ofstream(box.folder() / "ssh") << "n=${1##*.}; shift\nexec ip netns exec " + name_ +
                                               "n$n unshare -u sh -c \"hostname node$n; $*\"\n";
  }

  std::string cut() const { return "ip -n " + name_ + "n1 link set v1 down"; }

 private:
  bool add() const { return ::geteuid() == 0 && shell("ip netns add " + name_ + "n1 && ip netns add " + name_ + "n2"); }
  bool start() const {
    return shell("for n in 1 2; do ip -n " + name_ + "n$n addr add 10.213.7.$n/24 dev v$n && ip -n " + name_ +
                 "n$n link set lo up && ip -n " + name_ + "n$n link set v$n up || exit; done");
  }

  const std::string name_ = "levin" + std::to_string(::getpid());
  std::unique_ptr<SlowCable> cable_;
  bool there_are_ = false;
};

// Returns a script that starts the same fit on both machines, with environment variables.
std::string on_both(const std::string& words = "", const std::string& meanwhile = "") {
  return "export WORLD_SIZE=2 LOCAL_WORLD_SIZE=1 MASTER_ADDR=10.213.7.1 MASTER_PORT=" + free_port() +
         "\nRANK=1 sh ssh 10.213.7.2 \"$fit " + words + "\" 2>err.1 &\nsecond=$!\nRANK=0 sh ssh 10.213.7.1 \"$fit " +
         words + "\" &\nfirst=$!\n" + meanwhile + "\nwait $first; echo $? >code.0\nwait $second; echo $? >code.1";
}

}  // namespace

TEST_CASE("two machines train one run") {
  const TwoMachines machines;
  if (!machines.there_are()) return;
  SECTION("by variables, on the interface towards each other") {
    const Sandbox box;
    machines.write_ssh(box);
    const Outcome outcome = run_script(box, on_both());
    INFO(outcome.err << box.read("err.1"));
    CHECK(box.read("code.0") == "0\n");
    CHECK(metrics(box) == expected_metrics());
  }
  SECTION("by the host's own launcher, over a program in place of ssh") {
    const Sandbox box;
    machines.write_ssh(box);
    const Outcome outcome = run_script(box, "$fit --hosts 10.213.7.1:1,10.213.7.2:1 --ssh_command \"sh $PWD/ssh\"");
    CHECK(outcome.code == 0);
    CHECK(metrics(box) == expected_metrics());
  }
  SECTION("when their cable is cut, each names the other one soon, and ends") {
    const Sandbox box;
    machines.write_ssh(box);
    const std::string rest = "--model.at training_step --model.epoch 1 --model.do rest --data.train 10";
    const std::string cut =
        "until ls levin_logs/version_0/checkpoints/*.ckpt || ! kill -0 $first; do sleep 0.05; done >/dev/null 2>&1\n" +
        machines.cut();
    const Outcome outcome = run_script(box, "export LEVIN_HEARTBEAT_TIMEOUT=2.5\n" + on_both(rest, cut));
    const std::string ends[] = {outcome.err, box.read("err.1")};
    INFO(ends[0] << "\n" << ends[1]);
    for (int rank = 0; rank < 2; ++rank) {
      CHECK(box.read("code." + std::to_string(rank)) == "7\n");
      const std::string other =
          "rank " + std::to_string(1 - rank) + " (host node" + std::to_string(2 - rank) + ", pid ";
      CHECK_THAT(ends[rank], ContainsSubstring(other) && ContainsSubstring(" has been silent for ") &&
                                 ContainsSubstring("host: error[E0701]: lost " + other));
    }
    // The one that gives up later may see that the other process is gone, because both are on this machine.
    CHECK_THAT(ends[0] + ends[1], ContainsSubstring(": silent for "));
  }
}

TEST_CASE("over a slow cable that loses packets nobody is taken for lost") {
  const TwoMachines machines(std::chrono::milliseconds(20));
  if (!machines.there_are()) return;
  const Sandbox box;
  machines.write_ssh(box);
  const Outcome outcome = run_script(box, on_both());
  const std::string other = box.read("err.1");
  INFO(outcome.err << other);
  CHECK(box.read("code.0") + box.read("code.1") == "0\n0\n");
  CHECK_THAT(outcome.err + other, !ContainsSubstring("been silent"));
  CHECK(metrics(box) == expected_metrics());
}

TEST_CASE("a run whose folder the launcher does not see goes on after a loss") {
  if (!shell("unshare -m mount --bind /tmp /tmp")) {
    skipped("no test of a folder that only machines see: there are no mount namespaces here (root)");
    return;
  }
  const Sandbox box;
  // Both machines see the folder "real" as levin_logs. The processes of the second machine are killed once.
  std::ofstream(box.folder() / "ssh") << R"(n=$1; shift
[ $n = 127.0.0.3 ] && mkdir once 2>&- && (until [ -e real/version_0/checkpoints/last.ckpt ]; do sleep 0.02; done
  sleep 0.2; pkill -KILL -P $$) &
exec unshare -m sh -c "mount --bind $PWD/real $PWD/levin_logs && $*"
)";
  const Outcome outcome = run_script(box,
                                     "mkdir real levin_logs\n$fit --hosts 127.0.0.2:1,127.0.0.3:1 "
                                     "--trainer.max_restarts 1 --ssh_command \"sh $PWD/ssh\"",
                                     rests_in_epoch_1);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("restart 1 of 1: resumes from the last checkpoint of"));
  CHECK(box.read(box.folder() / "real/version_0/metrics.csv") == expected_metrics(ten_rows));
}

TEST_CASE("the host starts its processes over ssh itself") {
  if (!has_program("ssh-keygen") || ::access("/usr/sbin/sshd", X_OK) != 0) {
    skipped("no test of ssh itself: there is no sshd (openssh-server)");
    return;
  }
  const Sandbox box;
  const std::string port = free_port();
  std::ofstream(box.folder() / "server") << "Port " << port
                                         << "\nListenAddress 127.0.0.2\nListenAddress 127.0.0.3\nHostKey "
                                         << (box.folder() / "host_key").string() << "\nAuthorizedKeysFile "
                                         << (box.folder() / "key.pub").string()
                                         << "\nStrictModes no\nUsePAM no\nPidFile none\n";
  std::ofstream(box.folder() / "client") << "Host *\nPort " << port << "\nIdentityFile "
                                         << (box.folder() / "key").string()
                                         << "\nIdentitiesOnly yes\nUserKnownHostsFile "
                                         << (box.folder() / "known").string()
                                         << "\nStrictHostKeyChecking no\nBatchMode yes\nLogLevel ERROR\n";
  const Outcome outcome = run_script(
      box,
      "for k in key host_key; do ssh-keygen -q -t ed25519 -N '' -f $k; done\n[ -d /run/sshd ] || mkdir /run/sshd\n"
      "/usr/sbin/sshd -D -e -f server 2>server.txt &\nn=0\n"
      "until ssh -F client 127.0.0.3 true 2>/dev/null; do n=$((n + 1)); [ $n -lt 50 ] || exit 99; sleep 0.1; done\n"
      "$fit --hosts 127.0.0.2:1,127.0.0.3:1 --ssh_command \"ssh -F $PWD/client\"\ncode=$?\nkill $!\nexit $code");
  if (outcome.code == 99) {
    skipped("no test of ssh itself: no sshd starts here: " + box.read("server.txt"));
    return;
  }
  INFO(outcome.err << box.read("server.txt"));
  CHECK(outcome.code == 0);
  CHECK(is_one_run_of_two(box));
  CHECK(metrics(box) == expected_metrics());
}
