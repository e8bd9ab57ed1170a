// Two machines, each a network namespace of this one, with a cable between them.
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "catch.hpp"
#include "core/base/text.hpp"
#include "launched_fit.hpp"

using namespace levin::core;

namespace {

bool shell(const std::string& command) { return system(("(" + command + ") >/dev/null 2>&1").c_str()) == 0; }

// Their addresses are 10.213.7.1 and 10.213.7.2.
class TwoMachines {
 public:
  TwoMachines() : name_("levin" + std::to_string(::getpid())) {
    const std::string a = name_ + "n1", b = name_ + "n2";
    there_are_ = ::geteuid() == 0 && shell("ip netns add " + a + " && ip netns add " + b + " && ip link add v1 netns " +
                                           a + " type veth peer name v2 netns " + b + " && ip -n " + a +
                                           " addr add 10.213.7.1/24 dev v1 && ip -n " + b +
                                           " addr add 10.213.7.2/24 dev v2 && for n in 1 2; do ip -n " + name_ +
                                           "n$n link set lo up && ip -n " + name_ + "n$n link set v$n up; done");
  }
  ~TwoMachines() { shell("ip netns del " + name_ + "n1; ip netns del " + name_ + "n2"); }
  TwoMachines(const TwoMachines&) = delete;
  TwoMachines& operator=(const TwoMachines&) = delete;

  bool there_are() const {
    if (!there_are_)
      std::fprintf(stderr,
                   "SKIPPED: no test of two machines: network namespaces are not to be had here (root, iproute2)\n");
    return there_are_;
  }
  // Writes a program that takes a machine's address and words, as ssh does. A machine has a name of its own.
  void write_ssh(const Sandbox& box) const {
    std::ofstream(box.folder() / "ssh") << "n=${1##*.}; shift\nexec ip netns exec " + name_ +
                                               "n$n unshare -u sh -c \"hostname node$n; $*\"\n";
  }

 private:
  std::string name_;
  bool there_are_ = false;
};

// The same fit on both machines, by variables.
std::string on_both() {
  return "export WORLD_SIZE=2 LOCAL_WORLD_SIZE=1 MASTER_ADDR=10.213.7.1 MASTER_PORT=" + free_port() +
         "\nRANK=1 sh ssh 10.213.7.2 \"$fit\" 2>err.1 &\nRANK=0 sh ssh 10.213.7.1 \"$fit\"\n"
         "echo $? >code.0\nwait";
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
    INFO(outcome.err);
    CHECK(outcome.code == 0);
    CHECK(metrics(box) == expected_metrics());
  }
}
