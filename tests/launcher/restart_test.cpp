#include "launch/launcher.hpp"

#include <signal.h>

#include "core/base/json.hpp"
#include "launched.hpp"

using namespace levin::core;

namespace {

RunConfig config_in(const Launched& run, int rank) {
  return run_config_from_json(parse_json(run.notes(rank).back(), "it"), "it");
}

WorldEnd failed_with(int code) {
  WorldEnd end;
  end.cause = Cause{code, "", false};
  return end;
}

}  // namespace

TEST_CASE("what would come again is not started again") {
  for (const int code : {2, 3, 4, 5, 6}) CHECK(!may_restart(failed_with(code)));
  for (const int code : {1, 7, 70, 137, 139}) CHECK(may_restart(failed_with(code)));
  CHECK(!may_restart(WorldEnd{}));
  WorldEnd asked = failed_with(1);
  asked.asked_to_stop = true;
  CHECK(!may_restart(asked));
}

TEST_CASE("a run goes on in its folder, wherever that is, with the options that it has saved there") {
  RunConfig config = fake_config(2, 1);
  config.ckpt_path = "/old.ckpt";
  WorldEnd end = failed_with(137);
  end.run_folder = "/of/another/machine";
  SECTION("without a checkpoint of its own it begins where it began") {
    const RunConfig next = restarted(config, end);
    CHECK(next.resume == end.run_folder);
    CHECK(next.takes_saved_options);
    CHECK(next.ckpt_path == "/old.ckpt");
  }
  SECTION("with one it goes on") {
    end.saved = end.said_saved = true;
    const RunConfig next = restarted(config, end);
    CHECK(next.resume == end.run_folder);
    CHECK(!next.ckpt_path);
  }
  SECTION("a run that was resumed keeps the options of the command line until it has saved") {
    config.resume = end.run_folder;
    end.saved = true;
    CHECK(!restarted(config, end).takes_saved_options);
    end.said_saved = true;
    CHECK(restarted(config, end).takes_saved_options);
  }
  SECTION("what trains nothing is done again") {
    config.command = Command::test;
    CHECK(!restarted(config, end).resume);
  }
  SECTION("a run without a folder is started anew") {
    end.run_folder = "";
    CHECK(!restarted(config, end).resume);
  }
}

TEST_CASE("a run has a checkpoint to go on from if it says so, or if its folder tells it") {
  const TempFolder folder;
  RunConfig config = fake_config(2, 1);
  WorldEnd end = failed_with(137);
  CHECK(!has_checkpoint(config, end));
  end.run_folder = folder.path().string();
  CHECK(!has_checkpoint(config, end));
  config.resume = folder.path().string();
  CHECK(!has_checkpoint(config, end));
  folder.write("checkpoints/index.json", "{}");
  CHECK(has_checkpoint(config, end));
  SECTION("what is on another machine was resumed there") {
    config.resume = end.run_folder = "/of/another/machine";
    CHECK(has_checkpoint(config, end));
    config.resume.reset();
    CHECK(!has_checkpoint(config, end));
  }
  SECTION("one that begins from another file says when it has its own") {
    config.ckpt_path = "/old.ckpt";
    CHECK(!has_checkpoint(config, end));
    end.said_saved = true;
    CHECK(has_checkpoint(config, end));
  }
}

TEST_CASE("after the loss of a machine the next attempt waits, and longer when it comes to nothing") {
  using std::chrono::milliseconds;
  RestartPause pause(milliseconds(10));
  WorldEnd lost = failed_with(1);
  lost.lost_machine = "beta";
  CHECK(pause.after(failed_with(137)) == milliseconds(0));
  CHECK(pause.after(lost) == milliseconds(10));
  CHECK(pause.after(lost) == milliseconds(20));
  CHECK(pause.after(lost) == milliseconds(40));
  lost.run_folder = "/run";  // the run of this attempt had started
  CHECK(pause.after(lost) == milliseconds(10));
  CHECK(pause.after(failed_with(137)) == milliseconds(0));
}

TEST_CASE("a signal that comes before the next attempt ends the run, and nothing is started") {
  const std::string unreachable = "#!/bin/sh\nexit 255\n";
  Launched run({1, {"wait"}, 5, "alpha:1,beta:1", unreachable, {{"FAKE_PAUSE", "600000"}}});
  run.err_with("restart 1 of 5 in 600 s, as node ");
  kill(run.pid(), SIGTERM);
  CHECK(run.code() == 143);
  CHECK_THAT(run.err(), !ContainsSubstring("restart 2"));
}

TEST_CASE("a run whose folder is on another machine goes on there") {
  const std::string other = "#!/bin/sh\nshift\nexec sh -c \"$*\"\n", folder = "/nowhere/version_0";
  Launched run({1,
                {"0:say run_folder " + folder, "0:say saved " + folder + "/x.ckpt", "0:say store a 1", "1:hear",
                 "r0:1:kill 9", "r0:wait", "config"},
                1,
                "alpha:1,beta:1",
                other});
  CHECK(run.code() == 0);
  CHECK(config_in(run, 0).resume == folder);
  CHECK_THAT(run.err(), ContainsSubstring("restart 1 of 1: resumes from the last checkpoint of " + folder));
  Launched lost({1,
                 {"0:say run_folder " + folder, "0:say saved " + folder + "/x.ckpt", "0:say store a 1", "1:hear",
                  "1:kill 9", "wait"},
                 0,
                 "alpha:1,beta:1",
                 other});
  CHECK(lost.code() == 137);
  CHECK_THAT(lost.err(), ContainsSubstring("host: resume with, on alpha: host resume " + folder + "\n"));
}

TEST_CASE("a run whose rank is killed is started again from its folder") {
  const TempFolder folder;
  Launched run({2,
                {"env LEVIN_RESTART_COUNT", "0:say run_folder " + folder.path().string(),
                 "0:say saved " + folder.path().string() + "/x.ckpt", "0:say store a 1", "1:hear", "r0:1:kill 9",
                 "r0:wait", "config"},
                3});
  CHECK(run.code() == 0);
  CHECK(config_in(run, 0).resume == folder.path().string());
  CHECK(config_in(run, 1).resume == folder.path().string());
  CHECK_THAT(run.err(), ContainsSubstring("was killed by SIGKILL"));
  CHECK_THAT(run.err(), ContainsSubstring("host: warning: restart 1 of 3: resumes from the last checkpoint of " +
                                          folder.path().string()));
  CHECK_THAT(run.err(), !ContainsSubstring("restart 2"));
}

TEST_CASE("restarts come to an end, and the way on is said") {
  const TempFolder folder;
  Launched run(
      {2,
       {"0:say run_folder " + folder.path().string(), "0:say saved x", "0:say store a 1", "1:hear", "1:kill 6", "wait"},
       2});
  CHECK(run.code() == 134);
  CHECK_THAT(run.err(), ContainsSubstring("restart 2 of 2"));
  CHECK_THAT(run.err(), !ContainsSubstring("restart 3"));
  CHECK_THAT(run.err(), ContainsSubstring("host: resume with: host resume " + folder.path().string() + "\n"));
}

TEST_CASE("no restart without the option, and none after a signal") {
  Launched plain({2, {"1:kill 9", "wait"}});
  CHECK(plain.code() == 137);
  Launched stopped({2, {"catch 143", "note ready", "wait"}, 5});
  stopped.notes(0, 2);
  stopped.notes(1, 2);
  kill(stopped.pid(), SIGTERM);
  CHECK(stopped.code() == 143);
  CHECK_THAT(stopped.err(), !ContainsSubstring("restart"));
}
