// Processes that a user starts by hand, each with its own environment variables.
#include <unistd.h>

#include <thread>

#include "core/base/text.hpp"
#include "launched_fit.hpp"

namespace fs = std::filesystem;
namespace {

// Returns a script that starts both ranks and exits with the first failing code. variables: for both ranks.
std::string two(const std::string& variables, const std::string& words = "") {
  return "export WORLD_SIZE=2 " + variables + "\nRANK=1 $fit " + words + " 2>err.1 &\nRANK=0 $fit " + words +
         "\ncode=$?\nwait $! || exit\nexit $code";
}

}  // namespace

TEST_CASE("processes with RANK and WORLD_SIZE meet at an address, a port or in a file") {
  const std::string port = free_port();
  const struct {
    std::string variables, words;
  } rows[] = {{"MASTER_ADDR=localhost LOCAL_WORLD_SIZE=2 MASTER_PORT=" + port, ""},
              {"MASTER_ADDR=$(hostname) MASTER_PORT=" + port, ""},
              {"", "--trainer.init_method tcp://127.0.0.1:" + port + " --trainer.interface lo"},
              {"LOCAL_WORLD_SIZE=2", "--trainer.init_method file://$PWD/meeting"}};
  for (const auto& row : rows) {
    const Sandbox box;
    const Outcome outcome = run_script(box, two(row.variables, row.words));
    INFO(row.variables << row.words << outcome.err << box.read("err.1"));
    CHECK(outcome.code == 0);
    CHECK(is_one_run_of_two(box));
    CHECK(metrics(box) == expected_metrics());
    CHECK_FALSE(fs::exists(box.folder() / "meeting"));
  }
}

TEST_CASE("what keeps processes from meeting is said with what to do") {
  const std::string port = free_port();
  const SilentPort silent;
  const std::string local = "export LOCAL_WORLD_SIZE=2 WORLD_SIZE=2 MASTER_PORT=" + port + "\n";
  const std::string soon = " --trainer.process_group_timeout 1";
  const struct {
    std::string script;
    int code;
    std::vector<std::string> said;
  } rows[] = {
      {local + "RANK=0 $fit" + soon, 7, {"rank 1 did not come within 1 s (trainer.process_group_timeout)"}},
      {local + "RANK=1 $fit" + soon,
       7,
       {"nothing listens at 127.0.0.1:" + port + " (MASTER_PORT) after 1 s (trainer.process_group_timeout)"}},
      {"RANK=1 LOCAL_WORLD_SIZE=2 WORLD_SIZE=2 MASTER_PORT=" + silent.number() + " timeout 60 $fit" + soon,
       2,
       {"127.0.0.1:" + silent.number() + " does not answer", "uses that port; take another port", "(MASTER_PORT)"}},
      {"RANK=0 LOCAL_WORLD_SIZE=2 WORLD_SIZE=2 MASTER_PORT=" + silent.number() + " $fit",
       2,
       {"cannot listen on 127.0.0.1:" + silent.number(), "uses that port; take another port", "(MASTER_PORT)"}},
      {local + "mkdir m; RANK=0 $fit --trainer.init_method file://$PWD/m",
       2,
       {"/m cannot be the rendezvous: it is a folder"}},
      {local + "RANK=0 $fit --trainer.init_method file://$PWD/m 2>killed &\nuntil grep -aq store m; do sleep 0.01; "
               "done 2>no\n"
               "kill -9 $!\nRANK=0 $fit --trainer.init_method file://$PWD/m",
       2,
       {"/m as rank 0 before", "remove it"}},
      {local + "RANK=0 $fit --trainer.interface nowhere0", 2, {"trainer.interface=nowhere0", "valid: lo"}},
      {local + "RANK=0 MASTER_ADDR=nowhere.invalid LOCAL_WORLD_SIZE=1 $fit" + soon,
       7,
       {"'nowhere.invalid'", "cannot be resolved"}},
      {"RANK=0 WORLD_SIZE=2 $fit", 2, {"set MASTER_PORT", "--trainer.init_method"}},
      {local + "RANK=2 $fit", 2, {"rank 2 of 2"}},
  };
  for (const auto& row : rows) {
    const Sandbox box;
    const Outcome outcome = run_script(box, row.script);
    INFO(row.script << outcome.err);
    CHECK(outcome.code == row.code);
    for (const std::string& text : row.said) CHECK_THAT(outcome.error(), ContainsSubstring(text));
    CHECK_FALSE(fs::exists(box.run(0)));
  }
}

TEST_CASE("a second run at the port of another one ends by itself, and leaves that one alone") {
  const std::string rest = "--data.train 10 --model.at training_step --model.epoch 1 --model.do rest";
  const std::string script = "export LOCAL_WORLD_SIZE=2 WORLD_SIZE=2 MASTER_PORT=" + free_port() + R"(
RANK=0 $fit &
first=$!
RANK=1 $fit &
until ls levin_logs/version_0/checkpoints/*.ckpt; do sleep 0.05; done >/dev/null 2>&1
for r in 0 1; do (RANK=$r timeout 20 $fit 2>second.$r; echo $? >code.$r) & done
wait $first
code=$?
wait
exit $code)";
  const Sandbox box;
  const Outcome outcome = run_script(box, script, rest);
  INFO(outcome.err << box.read("second.0") << box.read("second.1"));
  CHECK(outcome.code == 0);
  CHECK(box.read("code.0") == "2\n");
  CHECK(box.read("code.1") == "2\n");
  CHECK_THAT(box.read("second.0"), ContainsSubstring("cannot listen on 127.0.0.1:") &&
                                       ContainsSubstring("host-engine (process ") && !ContainsSubstring("[c10d]"));
  CHECK_THAT(box.read("second.1"), ContainsSubstring("as rank 1 before") && ContainsSubstring("another MASTER_PORT"));
  CHECK_FALSE(fs::exists(box.run(1)));
}

TEST_CASE("a process of another run that comes to a store first ends by itself") {
  const std::string port = free_port();
  // With the variables that the host's launcher sets.
  const std::string script = "export LOCAL_WORLD_SIZE=2 WORLD_SIZE=2 LEVIN_LAUNCHER_FD=99 MASTER_PORT=" + port + R"(
LEVIN_RENDEZVOUS=a RANK=0 $fit &
first=$!
LEVIN_RENDEZVOUS=b RANK=1 timeout 60 $fit 2>other
echo $? >code
LEVIN_RENDEZVOUS=a RANK=1 $fit || exit
wait $first)";
  const std::string in_file = "--trainer.init_method file://$PWD/meeting";
  for (const std::string& words : {std::string(), in_file}) {
    const Sandbox box;
    const Outcome outcome = run_script(box, "fit=\"$fit " + words + "\"\n" + script);
    INFO(words << outcome.err << box.read("other"));
    CHECK(outcome.code == 0);
    CHECK(box.read("code") == "2\n");
    CHECK_THAT(box.read("other"), ContainsSubstring("the rendezvous of another run"));
    CHECK(is_one_run_of_two(box));
    CHECK(metrics(box) == expected_metrics());
  }
}

TEST_CASE("a signal before a run has begun ends it with the code of a stop, also while the engine is loaded") {
  const std::string until_engine = R"sh(
until [ "$(cat /proc/$!/comm)" = host-engine ]; do sleep 0.01; done
)sh";
  for (const auto& [signal, code] : {std::pair("TERM", 75), std::pair("INT", 130)}) {
    const Sandbox box;
    const Outcome outcome = run_script(box, "export LOCAL_WORLD_SIZE=2 WORLD_SIZE=2 MASTER_PORT=" + free_port() +
                                                "\nRANK=1 env --default-signal=INT $fit &" + until_engine + "kill -" +
                                                signal + " $!\nwait $!");
    INFO(signal << outcome.err);
    CHECK(outcome.code == code);
    CHECK_THAT(outcome.err, ContainsSubstring("ends before the run has begun"));
    CHECK_FALSE(fs::exists(box.run(0)));
  }
}

TEST_CASE("a process that has done its part waits for rank 0 whatever signals come") {
  for (const char* signal : {"TERM", "USR1", "INT"}) {
    const Sandbox box;
    const std::string script = "export LOCAL_WORLD_SIZE=2 WORLD_SIZE=2 MASTER_PORT=" + free_port() + R"(
RANK=0 LEVIN_TEST_TRACE=$PWD/trace.0 $fit &
first=$!
RANK=1 LEVIN_TEST_TRACE=$PWD/trace.1 env --default-signal=INT $fit &
until grep -q near.finalize trace.0; do sleep 0.02; done 2>/dev/null
kill -)" + signal + R"( $!
wait $! || exit
wait $first)";
    const Outcome outcome = run_script(box, script, "--logger near --logger.near.at finalize --logger.near.do rest ");
    CHECK(outcome.code == 0);
  }
}

TEST_CASE("a signal to the host while it asks plugins ends it with the code of a stop") {
  const Sandbox box;
  const Outcome outcome = run_script(box, R"sh(
export XDG_CACHE_HOME=$PWD/cold
$fit --trainer.devices 2 &
until [ -n "$(cat /proc/$!/task/$!/children)" ]; do sleep 0.01; done
kill -USR1 $!
wait $!)sh");
  CHECK(outcome.code == 75);
  CHECK_THAT(outcome.err, ContainsSubstring("SIGUSR1: ends before the run has begun"));
}

TEST_CASE("a signal to the launcher before its processes have begun is no failure") {
  const Sandbox box;
  const Outcome outcome = run_script(box, R"sh(
$fit --trainer.devices 2 &
children() { for child in $(cat /proc/$!/task/$!/children); do cat /proc/$child/comm; done; }
until children | grep -q host-engine; do sleep 0.01; done 2>no
kill -USR1 $!
wait $!)sh");
  CHECK(outcome.code == 75);
  CHECK_THAT(outcome.err, !ContainsSubstring("error"));
}

TEST_CASE("a run that its launcher has started again waits for its folder, and a signal ends that for all") {
  const std::string held = R"(
(flock 9; exec sleep 100) 9>>levin_logs/version_0/.lock &
holder=$!
while flock -n levin_logs/version_0/.lock true; do sleep 0.01; done
export LEVIN_RESTART_COUNT=1
)";
  const std::string until_it_waits = R"(
until grep -q 'still holds this folder' waits; do sleep 0.01; done 2>no
)";
  const std::string resume =
      LEVIN_TEST_HOST " resume levin_logs/version_0 --plugins " LEVIN_TEST_PLUGINS " --trainer.max_epochs 3";
  const Sandbox box;
  for (const int stopped : {0, 1}) {
    const std::string variables = "export LOCAL_WORLD_SIZE=2 WORLD_SIZE=2 MASTER_PORT=" + free_port() + "\n";
    const Outcome outcome =
        run_script(box, "rm -f codes waits\n[ -d levin_logs ] || $fit 2>first" + held + variables + "RANK=0 " + resume +
                            " 2>waits &\nranks=$!\nRANK=1 " + resume + " &\nranks=\"$ranks $!\"" + until_it_waits +
                            "kill $(echo $ranks | cut -d' ' -f" + std::to_string(stopped + 1) +
                            ")\nfor rank in $ranks; do wait $rank; echo $? >>codes; done\nkill $holder");
    INFO(stopped << box.read("first") << box.read("waits") << outcome.err);
    CHECK(box.read("codes") == "75\n75\n");
  }
  const Outcome outcome =
      run_script(box, held.substr(1) + resume + " 2>waits &\nrun=$!" + until_it_waits + "kill $holder\nwait $run");
  INFO(box.read("waits"));
  CHECK(outcome.code == 0);
  CHECK_THAT(box.read("waits"), ContainsSubstring("trained 1 epoch "));
}

TEST_CASE("processes that were all stopped for a while go on, and none takes another for lost") {
  const Sandbox box;
  const std::string script =
      "export LOCAL_WORLD_SIZE=2 WORLD_SIZE=2 LEVIN_HEARTBEAT_TIMEOUT=1 MASTER_PORT=" + free_port() + R"(
RANK=0 $fit &
first=$!
RANK=1 $fit &
until [ -e levin_logs/version_0/checkpoints/last.ckpt ]; do sleep 0.05; done
kill -STOP $first $!
sleep 2.5
kill -CONT $first $!
wait $! || exit
wait $first)";
  const Outcome outcome = run_script(box, script, rests_in_epoch_1);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, !ContainsSubstring("been silent"));
}

TEST_CASE("the processes listen on the chosen address alone") {
  const std::string rest = " --model.at training_step --model.epoch 0 --model.do rest";
  const std::string by_variables = "export MASTER_ADDR=localhost MASTER_PORT=" + free_port();
  for (const std::string& script : {two(by_variables.substr(7), rest), "$fit --trainer.devices 2" + rest}) {
    const Sandbox box;
    int code = -1;
    std::thread fit([&] { code = run_script(box, script).code; });
    std::set<std::string> seen;
    for (int i = 0; i < 600 && !fs::exists(box.run(0) / "checkpoints" / "last.ckpt"); ++i, usleep(50000))
      seen.merge(listening(box));
    fit.join();
    CHECK(code == 0);
    // 127.0.0.1, also as an IPv6 address
    for (const std::string& address : seen)
      CHECK((address == "0100007F" || address == "0000000000000000FFFF00000100007F"));
    CHECK_FALSE(seen.empty());
  }
}
