// Ranks and launchers that die.
#include <signal.h>
#include <unistd.h>

#include "launched.hpp"

namespace {
std::string line_of(const Launched& run, int rank, const std::string& rest, const std::string& code = "E0707") {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return "host: error[" + code + "]: rank " + std::to_string(rank) + " (host " + host + ", pid " +
         std::to_string(run.pid_of(rank)) + ") " + rest;
}
}  // namespace

TEST_CASE("the first rank that fails is named, and its code is the run's") {
  Launched run({3, {"2:say failed 401 the rows are gone", "2:exit 4", "0:say failed 701 lost rank 2", "0,1:wait"}});
  CHECK(run.code() == 4);
  CHECK_THAT(run.err(), ContainsSubstring(line_of(run, 2, "failed with code 4: the rows are gone\n", "E0401")));
  CHECK_THAT(run.err(), !ContainsSubstring("lost rank 2"));
  CHECK_THAT(run.err(),
             ContainsSubstring("host: the other ranks are asked to end (SIGTERM); what still runs after 10 s"));
}

TEST_CASE("a rank that is killed is named at once, and the others end") {
  Launched run({3, {"wait"}});
  const pid_t others[] = {run.pid_of(0), run.pid_of(2)};
  const pid_t killed = run.pid_of(1);
  kill(killed, SIGKILL);
  CHECK(run.code() == 137);
  CHECK_THAT(run.err(), ContainsSubstring(line_of(run, 1, "was killed by SIGKILL\n")));
  for (const pid_t other : others) CHECK(!runs(other));
}

TEST_CASE("ranks that do not end when they are asked are killed, but rank 0 not while it writes") {
  Launched run({3,
                {"catch 0", "0:say store a 1", "1:hear", "1:kill 9", "0:write /dev/null", "0:note written", "wait"},
                0,
                "",
                "",
                {{"FAKE_PATIENCE", "1000"}}});
  CHECK(run.code() == 137);
  const auto notes = run.notes(0);
  REQUIRE(notes.size() == 3);
  CHECK((notes[1] == "signal 15" && notes[2] == "written"));
}

TEST_CASE("no rank outlives its launcher") {
  Launched run({3, {"catch 0", "wait"}});
  const pid_t ranks[] = {run.pid_of(0), run.pid_of(1), run.pid_of(2)};
  kill(run.pid(), SIGKILL);
  for (const pid_t rank : ranks) CHECK(ends_soon(rank));
  CHECK(run.code() == 137);
}

TEST_CASE("a rank that is stopped is named, and so is that it goes on") {
  Launched run({2, {"catch 75", "note ready", "wait"}});
  run.notes(1, 2);
  run.notes(0, 2);
  const pid_t stopped = run.pid_of(1);
  kill(stopped, SIGSTOP);
  run.err_with("is stopped by SIGSTOP, and the others wait for it; kill -CONT " + std::to_string(stopped));
  kill(stopped, SIGCONT);
  CHECK_THAT(run.err_with(") continues"), ContainsSubstring("pid " + std::to_string(stopped) + ") continues\n"));
  kill(run.pid(), SIGTERM);
  CHECK(run.code() == 75);
}

TEST_CASE("a rank that is stopped hears that it has to end") {
  Launched run({2, {"catch 75", "note ready", "1:kill 19", "wait"}});
  run.notes(1, 2);
  kill(run.pid_of(0), SIGKILL);
  CHECK(run.code() == 137);
  CHECK(run.notes(1).back() == "signal 15");
}

TEST_CASE("an engine that is not there is an error") {
  Launched run({2, {}, 0, "", "", {{"FAKE_ENGINE", "/nowhere/host-engine"}}});
  CHECK(run.code() == 70);
  CHECK_THAT(run.err(), ContainsSubstring("cannot run '/nowhere/host-engine': No such file or directory"));
}

TEST_CASE("a code of a single process that is only watched is its own") {
  Launched run({1, {"warn host: error[E0403]: no rows", "say failed 403 no rows", "exit 4"}, 3});
  CHECK(run.code() == 4);
  CHECK(run.err() == "host: error[E0403]: no rows\n");
}
