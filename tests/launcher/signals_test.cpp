// Signals to the launcher.
#include <signal.h>

#include <unistd.h>

#include <algorithm>

#include "core/base/text.hpp"
#include "launched.hpp"

using levin::core::starts_with;

namespace {

std::vector<std::string> signals_of(const Launched& run, int rank) {
  auto lines = run.notes(rank);
  lines.erase(std::remove_if(lines.begin(), lines.end(), [](const auto& l) { return !starts_with(l, "signal"); }),
              lines.end());
  return lines;
}

void wait_until_ready(const Launched& run, int ranks) {
  for (int rank = 0; rank < ranks; ++rank) run.notes(rank, 2);
}

const std::vector<std::string> ready = {"catch 75", "note ready", "wait"};
const std::vector<std::string> going_on = {"catch 0", "note ready", "wait"};

}  // namespace

TEST_CASE("a signal to the launcher reaches each rank once") {
  const int signal = GENERATE(SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGXCPU);
  Launched run({3, ready});
  wait_until_ready(run, 3);
  kill(run.pid(), signal);
  CHECK(run.code() == 75);
  for (const int rank : {0, 1, 2})
    CHECK(signals_of(run, rank) == std::vector<std::string>{"signal " + std::to_string(signal)});
  CHECK_THAT(run.err(), !ContainsSubstring("error"));
}

TEST_CASE("Ctrl-C at a terminal reaches each rank once: they are in groups of their own") {
  Launched run({2, going_on});
  wait_until_ready(run, 2);
  kill(run.pid(), SIGINT);
  for (const int rank : {0, 1}) CHECK(run.notes(rank, 3).back() == "signal 2");
  CHECK(getpgid(run.pid_of(0)) == run.pid_of(0));
  CHECK(getpgid(run.pid_of(1)) == run.pid_of(1));
  kill(run.pid(), SIGINT);  // these ranks continue even after the second signal
  CHECK(run.code() == 130);
}

TEST_CASE("a signal that comes before a rank can handle it waits for that") {
  Launched run({2, {"load", "note loading", "sleep 200", "catch 75", "note ready", "wait"}});
  wait_until_ready(run, 2);
  kill(run.pid(), SIGUSR1);
  CHECK(run.code() == 75);
  for (const int rank : {0, 1}) CHECK(signals_of(run, rank) == std::vector<std::string>{"signal 10"});
  CHECK_THAT(run.err(), !ContainsSubstring("error"));
}

TEST_CASE("an output that takes nothing keeps neither ranks nor signals waiting, and nothing is lost") {
  Launch launch{2, {"catch 75", "1:flood 500", "note ready", "wait"}};
  launch.nobody_reads = true;
  Launched run(launch);
  REQUIRE(run.notes(1, 2).size() == 2);
  REQUIRE(run.notes(0, 2).size() == 2);
  kill(run.pid(), SIGTERM);
  REQUIRE(run.notes(1, 3).size() == 3);
  CHECK(run.code() == 75);
  CHECK(run.lets_go());
  const std::string all = run.read_late();
  for (int i = 0; i < 500; ++i) CHECK(all.find("[rank 1] " + std::to_string(i) + " xxx") != std::string::npos);
}

TEST_CASE("where one rank was stopped before it has met the others, these stop, too") {
  Launched run({2, {"0:catch 75", "0:note ready", "1:hear", "1:exit 130", "0:say store a 1", "wait"}});
  CHECK(run.code() == 130);
  CHECK(signals_of(run, 0) == std::vector<std::string>{"signal 15"});
  CHECK_THAT(run.err(), !ContainsSubstring("error"));
}

TEST_CASE("the code is that of rank 0") {
  Launched run({2, {"0:catch 130", "1:catch 75", "note ready", "wait"}});
  wait_until_ready(run, 2);
  kill(run.pid(), SIGINT);
  CHECK(run.code() == 130);
}

TEST_CASE("a signal that the launcher was started to ignore stays ignored") {
  signal(SIGHUP, SIG_IGN);
  Launched run({2, ready});
  signal(SIGHUP, SIG_DFL);
  wait_until_ready(run, 2);
  kill(run.pid(), SIGHUP);
  kill(run.pid(), SIGTERM);
  CHECK(run.code() == 75);
  CHECK(signals_of(run, 1) == std::vector<std::string>{"signal 15"});
}

TEST_CASE("a rank that is stopped when the others have ended counts as lost after a while") {
  Launch launch{2, {"note ready", "0:kill 19", "1:exit 0", "wait"}};
  launch.environment = {{"LEVIN_HEARTBEAT_TIMEOUT", "0.3"}};
  Launched run(launch);
  CHECK(run.code() == 7);
  CHECK_THAT(run.err(), ContainsSubstring("rank 0 (") && ContainsSubstring("it is stopped by SIGSTOP"));
}

TEST_CASE("a rank that is stopped before the ranks have met counts as lost after a while") {
  Launch launch{2, {"catch 75", "note ready", "0:kill 19", "wait"}};
  launch.environment = {{"LEVIN_HEARTBEAT_TIMEOUT", "0.3"}};
  Launched run(launch);
  CHECK(run.code() == 7);
  CHECK_THAT(run.err(), ContainsSubstring("host: error[E0701]: rank 0 (") &&
                            ContainsSubstring("failed with code 7: it is stopped by SIGSTOP, and the others wait"));
}

TEST_CASE("Ctrl-Z stops the ranks, and the next CONT lets them go on") {
  Launched run({2, ready});
  wait_until_ready(run, 2);
  kill(run.pid(), SIGTSTP);
  const auto state = [](pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, is;
    file >> number >> name >> is;
    return is;
  };
  for (const pid_t pid : {run.pid(), run.pid_of(0), run.pid_of(1)})
    for (int i = 0; i < 2000 && state(pid) != "T"; ++i) usleep(5000);
  CHECK(state(run.pid_of(1)) == "T");
  kill(run.pid(), SIGCONT);
  kill(run.pid(), SIGTERM);
  CHECK(run.code() == 75);
  CHECK_THAT(run.err(), !ContainsSubstring("is stopped"));
}
