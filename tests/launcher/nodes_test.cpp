// Several machines, with a program in place of ssh: like ssh, it joins its arguments with spaces and passes them to a
// shell.
#include <signal.h>

#include "core/base/text.hpp"
#include "launch/common/shell_quote.hpp"
#include "launch/nodes/frame.hpp"
#include "launch/nodes/remote_node.hpp"
#include "launched.hpp"

using namespace levin::core;

namespace {

// The other machine has its own environment and working directory.
const std::string other_machine = R"(#!/bin/sh
host=$1; shift
cd / && exec env -i PATH="$PATH" FAKE_LOG="$FAKE_LOG" FAKE_PATIENCE="$FAKE_PATIENCE" NODE="$host" sh -c "$*"
)";

Launch two_nodes(std::vector<std::string> steps, int restarts = 0) {
  return {2, std::move(steps), restarts, "alpha:2,beta:2", other_machine, {{"FAKE_PATIENCE", "2000"}}};
}

}  // namespace

TEST_CASE("words reach the shell of another machine as they are") {
  CHECK(shell_word("it's $HOME\n\"x\"") == "'it'\\''s $HOME\n\"x\"'");
  CHECK(ssh_command("ssh  -p 22", "a", {"/opt/my host", "__node"}) ==
        std::vector<std::string>{"ssh", "-p", "22", "a", "exec '/opt/my host' __node"});
  CHECK(ssh_command("", "a", {"x"})[0] == "ssh");
}

TEST_CASE("a frame is read back, in whatever pieces it comes") {
  const std::string bytes = to_bytes({"wrote", 3, 2, "a\nb"}) + to_bytes({"ended", 1, -1, ""});
  FrameReader reader;
  std::vector<Frame> frames;
  for (const char c : bytes) {
    reader.add(std::string(1, c));
    while (auto frame = reader.next()) frames.push_back(*frame);
  }
  REQUIRE(frames.size() == 2);
  CHECK((frames[0].name == "wrote" && frames[0].rank == 3 && frames[0].number == 2 && frames[0].bytes == "a\nb"));
  CHECK((frames[1].name == "ended" && frames[1].number == -1));
  reader.add("GET / HTTP/1.1\n");
  CHECK_THROWS_WITH(reader.next(), ContainsSubstring("invalid message between the launcher and its agent"));
}

TEST_CASE("ranks on two machines know their places, in the launcher's folder and with its variables") {
  auto launch = two_nodes({"env RANK", "env LOCAL_RANK", "env GROUP_RANK", "env LEVIN_NODES", "env MASTER_ADDR",
                           "env NODE", "folder", "env OMP_WAIT_POLICY", "env SECRET"});
  launch.environment.insert({{"OMP_WAIT_POLICY", "active"}, {"SECRET", "x"}});
  Launched run(launch);
  CHECK(run.code() == 0);
  auto lines = run.notes(3);
  REQUIRE(lines.size() == 10);
  lines.erase(lines.begin());
  CHECK(lines == std::vector<std::string>{"RANK=3", "LOCAL_RANK=1", "GROUP_RANK=1", "LEVIN_NODES=2",
                                          "MASTER_ADDR=alpha", "NODE=beta", run.folder().string(),
                                          "OMP_WAIT_POLICY=active", "SECRET=(none)"});
  CHECK_THAT(run.err(), ContainsSubstring("host: 4 processes on 2 machines, "));
}

TEST_CASE("words of ranks on other machines may have spaces, quotes and lines") {
  const std::string strange = "it's \"so\" $HOME `id` \\ *\nnext";
  Launched run(two_nodes({"2:note " + strange}));
  CHECK(run.code() == 0);
  CHECK_THAT(join(run.notes(2), "\n"), ContainsSubstring(strange));
}

TEST_CASE("the output and the store go from machine to machine") {
  Launched run(two_nodes({"0:print progress", "0:say store alpha 99", "1,2,3:hear", "3:warn odd"}));
  CHECK(run.code() == 0);
  CHECK(run.out() == "progress\n");
  CHECK_THAT(run.err(), ContainsSubstring("[rank 3] odd\n"));
  for (const int rank : {1, 2, 3}) CHECK(run.notes(rank).back() == "store alpha 99");
}

TEST_CASE("a rank that dies on another machine is named with it, and all end") {
  Launched run(two_nodes({"wait"}));
  for (const int rank : {0, 1, 2}) run.pid_of(rank);
  kill(run.pid_of(3), SIGKILL);
  CHECK(run.code() == 137);
  CHECK_THAT(run.err(), ContainsSubstring("host: error[E0707]: rank 3 (host beta, pid " +
                                          std::to_string(run.pid_of(3)) + ") was killed by SIGKILL"));
  for (const int rank : {0, 1, 2}) CHECK(!runs(run.pid_of(rank)));
}

TEST_CASE("signals reach the ranks of all machines once") {
  Launched run(two_nodes({"catch 75", "note ready", "wait"}));
  for (const int rank : {0, 1, 2, 3}) run.notes(rank, 2);
  kill(run.pid(), SIGTERM);
  CHECK(run.code() == 75);
  for (const int rank : {0, 1, 2, 3}) CHECK(run.notes(rank).size() == 3);
}

TEST_CASE("no rank outlives a launcher on another machine") {
  Launched run(two_nodes({"wait"}));
  pid_t ranks[4];
  for (const int rank : {0, 1, 2, 3}) ranks[rank] = run.pid_of(rank);
  kill(run.pid(), SIGKILL);
  for (const pid_t rank : ranks) CHECK(ends_soon(rank));
}

TEST_CASE("a machine that is lost is named, and the run goes on when it is back") {
  Launched run(two_nodes({"r0:wait"}, 1));
  std::vector<pid_t> first;
  for (const int rank : {0, 1, 2, 3}) first.push_back(run.pid_of(rank));
  // The agent of beta is the parent of its ranks.
  std::ifstream file("/proc/" + std::to_string(first[3]) + "/stat");
  std::string number, name, state;
  pid_t agent = 0;
  file >> number >> name >> state >> agent;
  kill(agent, SIGKILL);
  CHECK(run.code() == 0);
  CHECK_THAT(run.err(), ContainsSubstring("host: error[E0121]: node beta: the connection is lost: "));
  CHECK_THAT(run.err(), ContainsSubstring("restart 1 of 1 in 1 s, as node beta was lost: starts from the beginning"));
  for (const pid_t pid : first) CHECK(ends_soon(pid));
}

TEST_CASE("what a login says does not disturb, and a machine that cannot be reached is named") {
  auto launch = two_nodes({"0:print x"});
  launch.ssh = "#!/bin/sh\necho Welcome to $1\necho careful >&2\nshift\nexec sh -c \"$*\"\n";
  Launched talks(launch);
  CHECK(talks.code() == 0);
  CHECK(talks.out() == "x\n");
  CHECK_THAT(talks.err(),
             ContainsSubstring("[node beta] Welcome to beta\n") && ContainsSubstring("[node alpha] careful"));
  launch.ssh = "#!/bin/sh\n[ $1 = alpha ] || { echo no route >&2; exit 255; }\nshift\nexec sh -c \"$*\"\n";
  launch.steps = {"wait"};
  Launched unreachable(launch);
  CHECK(unreachable.code() == 1);
  CHECK_THAT(unreachable.err(), ContainsSubstring("[node beta] no route") &&
                                    ContainsSubstring("host: error[E0121]: node beta: it cannot be reached: ") &&
                                    ContainsSubstring("ended with code 255"));
}

TEST_CASE("an installation that is not there or is another one is named") {
  auto launch = two_nodes({"wait"});
  launch.environment["FAKE_AGENT"] = "/opt/no where/host";
  Launched missing(launch);
  CHECK(missing.code() == 70);
  CHECK_THAT(missing.err(), ContainsSubstring("there is no program /opt/no where/host there (code 127)"));
  launch.environment.erase("FAKE_AGENT");
  launch.ssh = "#!/bin/sh\necho levin node 0.0.1; sleep 1\n";
  Launched old(launch);
  CHECK(old.code() == 70);
  CHECK_THAT(old.err(), ContainsSubstring("has another version there, 0.0.1"));
}

TEST_CASE("a folder that is not on the other machine is named") {
  auto launch = two_nodes({"wait"});
  char folder[] = "/tmp/levin_gone_XXXXXX";
  launch.environment["FAKE_FOLDER"] = mkdtemp(folder);
  launch.ssh = "#!/bin/sh\nshift; cd /\nrmdir $FAKE_FOLDER\nexec sh -c \"$*\"\n";
  Launched run(launch);
  CHECK(run.code() == 2);
  CHECK_THAT(run.err(), ContainsSubstring("cannot be opened there (No such file or directory)"));
}

TEST_CASE("ranks that were stopped with their launcher end when it does not come back") {
  Launched run(two_nodes({"catch 0", "note ready", "wait"}));
  for (const int rank : {0, 1, 2, 3}) run.notes(rank, 2);
  kill(run.pid(), SIGTSTP);
  for (const int rank : {0, 1, 2, 3}) CHECK(ends_soon(run.pid_of(rank)));
  CHECK(runs(run.pid()));
}
