// Processes that a user starts by hand, each with its own variables.
#include <unistd.h>

#include <fstream>
#include <thread>

#include "catch.hpp"
#include "core/base/text.hpp"
#include "launched_fit.hpp"

namespace fs = std::filesystem;
namespace {

// Both ranks, and the code of the first that fails. variables: of both.
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
      {local + "RANK=0 $fit" + soon, 7, {"rank 1 did not come", "within 1 second", "trainer.process_group_timeout"}},
      {local + "RANK=1 $fit" + soon, 7, {"127.0.0.1:" + port + " cannot be reached", "trainer.process_group_timeout"}},
      {"RANK=1 LOCAL_WORLD_SIZE=2 WORLD_SIZE=2 MASTER_PORT=" + silent.number() + " timeout 60 $fit" + soon,
       7,
       {"127.0.0.1:" + silent.number() + " cannot be reached", "another program has that port"}},
      {local + "RANK=0 $fit --trainer.init_method file://$PWD/m" + soon +
           "\nRANK=0 $fit --trainer.init_method file://$PWD/m",
       2,
       {"/m, where rank 0 has come before", "remove it"}},
      {local + "RANK=0 $fit --trainer.interface nowhere0", 2, {"trainer.interface=nowhere0", "there are: lo"}},
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
  CHECK(box.read("code.0") == "7\n");
  CHECK(box.read("code.1") == "2\n");
  CHECK_THAT(box.read("second.0"),
             ContainsSubstring("cannot listen on 127.0.0.1:") && ContainsSubstring("Address already in use"));
  CHECK_THAT(box.read("second.1"), ContainsSubstring("as rank 1 before") && ContainsSubstring("another MASTER_PORT"));
  CHECK_FALSE(fs::exists(box.run(1)));
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
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, !ContainsSubstring("sign of life"));
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
    // 127.0.0.1, also in IPv6's form.
    for (const std::string& address : seen)
      CHECK((address == "0100007F" || address == "0000000000000000FFFF00000100007F"));
    CHECK_FALSE(seen.empty());
  }
}
