// A run resumed from a checkpoint equals the uninterrupted run bit by bit: weights, optimizer state, schedule,
// generator and every logged value, with shuffled rows, dropout and momentum.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"
#include "saved.hpp"

namespace resume_test {
namespace {

const std::string set_up =
    "--model plain --model.momentum 0.9 --model.dropout 0.3 --model.log true --model.metric true --data.train 14 "
    "--data.batch_size 3 --data.val [5] --data.num_workers 2 --logger recording_logger --trainer.log_every_n_steps 1 "
    "--callback.model_checkpoint.monitor '' --callback.model_checkpoint.save_last true --trainer.num_sanity_val_steps "
    "1 ";

std::vector<std::string> logged(const Outcome& outcome) { return starting(outcome.trace, "log.metrics"); }

// The row of an epoch's end follows the epoch's checkpoint, so a run resumed from that checkpoint logs the row again.
std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  if (!a.empty() && !b.empty() && a.back() == b.front()) a.pop_back();
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("a run resumed at the end of an epoch equals the uninterrupted one") {
  for (const char* scheduler : {"epoch", "step", "plateau"}) {
    const Sandbox sandbox;
    const std::string words = set_up + "--model.scheduler " + scheduler;
    const Outcome whole = sandbox.bare("fit", words + " --trainer.max_epochs 4");
    const Outcome first = sandbox.bare("fit", words + " --trainer.max_epochs 2");
    const Outcome second = sandbox.host("resume " + sandbox.run(1).string() + " --max_epochs 4");
    INFO(scheduler << "\n" << second.err);
    REQUIRE(whole.code == 0);
    REQUIRE(first.code == 0);
    REQUIRE(second.code == 0);
    CHECK(logged(whole).size() > 20);
    CHECK(joined(logged(first), logged(second)) == logged(whole));
    CHECK(difference(last(sandbox, 0), last(sandbox, 1)) == "");
  }
}

TEST_CASE("a run resumed with --ckpt_path instead of its folder equals the uninterrupted one too") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 3").code == 0);
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1").code == 0);
  const Outcome second = sandbox.bare("fit", set_up + "--trainer.max_epochs 3 --ckpt_path " + last(sandbox, 1));
  REQUIRE(second.code == 0);
  CHECK(difference(last(sandbox, 0), last(sandbox, 2)) == "");
}

TEST_CASE("the last checkpoint is found under the names that log_name and log_version give") {
  const Sandbox sandbox;
  const std::string names = set_up + "--trainer.log_name nets --trainer.log_version ";
  REQUIRE(sandbox.bare("fit", names + "wide --trainer.max_epochs 1").code == 0);
  const Outcome fit = sandbox.bare("fit", names + "deep --trainer.max_epochs 2 --ckpt_path last");
  const Outcome test = sandbox.bare("test", names + "none --ckpt_path last");
  CHECK(fit.code == 0);
  CHECK_THAT(fit.err, ContainsSubstring("resumes from " + (sandbox.folder() / "nets" / "wide").string()));
  CHECK(test.code == 0);
  CHECK_THAT(test.err, ContainsSubstring("loaded the weights of " + (sandbox.folder() / "nets" / "deep").string()));
  const Outcome other = sandbox.bare("test", set_up + "--trainer.log_name trees --ckpt_path last");
  CHECK(other.code == 5);
  CHECK_THAT(other.error(), ContainsSubstring("there is no such checkpoint under") && ContainsSubstring("trees"));
}

TEST_CASE("of runs with names the newest is the one that began last, whatever was touched since") {
  const Sandbox sandbox;
  const std::string names = set_up + "--trainer.max_epochs 1 --trainer.log_version ";
  REQUIRE(sandbox.bare("fit", names + "first").code == 0);
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1").code == 0);
  REQUIRE(sandbox.bare("fit", names + "second").code == 0);
  REQUIRE(sandbox.host("resume " + (sandbox.folder() / "levin_logs" / "first").string() + " --max_epochs 2").code == 0);
  const Outcome test = sandbox.bare("test", set_up + "--ckpt_path last");
  INFO(test.err);
  CHECK_THAT(test.err, ContainsSubstring("loaded the weights of " + (sandbox.folder() / "levin_logs/second").string()));
}

TEST_CASE("a checkpoint of another run that was copied beside a run's own is not its last one") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 3 --trainer.log_version long").code == 0);
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1 --trainer.log_version short").code == 0);
  const auto runs = sandbox.folder() / "levin_logs";
  std::filesystem::copy_file(runs / "long/checkpoints/last.ckpt", runs / "short/checkpoints/copied.ckpt");
  const Outcome resumed = sandbox.host("resume " + (runs / "short").string() + " --max_epochs 2");
  CHECK(resumed.code == 0);
  CHECK_THAT(resumed.err, ContainsSubstring("resumes from " + (runs / "short/checkpoints/last.ckpt").string()));
}

TEST_CASE("a run that was interrupted within an epoch goes on with the next batch") {
  struct Case {
    const char *words, *step;
  };
  const Case cases[] = {{"", "step 8"},
                        {" --trainer.accumulate_grad_batches 2", "step 4"},  // within a window
                        {" --trainer.val_check_interval 3", "step 8"}};
  for (const Case& c : cases) {
    const Sandbox sandbox;
    const std::string words = set_up + "--trainer.max_epochs 3" + c.words;
    const Outcome whole = sandbox.bare("fit", words);
    const std::string at = " --model.do interrupt --model.at training_step --model.epoch 1 --model.batch 2";
    const Outcome first = sandbox.bare("fit", words + at);
    const Outcome second = sandbox.host("resume " + sandbox.run(1).string());
    INFO(c.words << "\n" << second.err);
    REQUIRE(whole.code == 0);
    REQUIRE(first.code == 130);
    REQUIRE(second.code == 0);
    CHECK_THAT(second.err, ContainsSubstring(std::string("interrupted.ckpt (epoch 1, ") + c.step));
    CHECK(joined(logged(first), logged(second)) == logged(whole));
    CHECK(difference(last(sandbox, 0), last(sandbox, 1)) == "");
  }
}

TEST_CASE("a run that goes on from a checkpoint in the midst keeps the rows of before, and logs none twice") {
  const std::string words = set_up + "--trainer.max_epochs 2 --trainer.val_check_interval 2 --callback cb=recorder ";
  struct End {  // how the first run ends
    std::string words;
    int code;
  };
  const End ends[] = {
      {"--callback.cb.do abort --callback.cb.at on_train_batch_start --callback.cb.epoch 1 --callback.cb.batch 2", 70},
      {"--callback.cb.do abort --callback.cb.at on_train_batch_start --callback.cb.epoch 1 --callback.cb.batch 3", 70},
      {"--callback.cb.do interrupt --callback.cb.at on_train_batch_start --callback.cb.epoch 1 --callback.cb.batch 2",
       130},
      {"--callback.cb.do interrupt --callback.cb.at on_train_batch_end --callback.cb.epoch 1 --callback.cb.batch 1",
       130},
  };
  const Sandbox whole_run;
  const Outcome whole = whole_run.bare("fit", words);
  REQUIRE(whole.code == 0);
  for (const End& end : ends) {
    const Sandbox sandbox;
    const Outcome first = sandbox.bare("fit", words + end.words);
    const Outcome second = sandbox.host("resume " + sandbox.run().string() + " --callback.cb.do nothing");
    INFO(end.words << "\n" << second.err);
    REQUIRE(first.code == end.code);
    REQUIRE(second.code == 0);
    const auto begins = starting(second.trace, "log.begin ");
    REQUIRE(begins.size() == 1);
    const int64_t last_kept = std::stoll(begins[0].substr(10));
    std::vector<std::string> rows;
    for (const std::string& row : logged(first))
      if (std::stoll(row.substr(12)) <= last_kept) rows.push_back(row);
    CHECK(joined(rows, logged(second)) == logged(whole));
  }
}

TEST_CASE("what a killed writer left behind goes when the run goes on") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1").code == 0);
  const auto left = sandbox.run(0) / "checkpoints" / ".tmp.levin-0123456789abcdef";
  std::ofstream(left) << "half a checkpoint";
  REQUIRE(sandbox.host("resume " + sandbox.run(0).string() + " --max_epochs 2").code == 0);
  CHECK_FALSE(std::filesystem::exists(left));
}

TEST_CASE("a fit from the last checkpoint starts anew where there is none, one from the best is refused") {
  const Sandbox sandbox;
  const Outcome last = sandbox.bare("fit", set_up + "--trainer.max_epochs 1 --ckpt_path last");
  CHECK(last.code == 0);
  CHECK_THAT(last.err, ContainsSubstring("starts from the beginning"));
  const Sandbox another;
  for (const char* words : {"fit --ckpt_path best", "test --ckpt_path best", "validate --ckpt_path last"}) {
    const auto parts = levin::core::split(words, ' ');
    const Outcome refused = another.bare(parts[0], set_up + parts[1] + " " + parts[2]);
    CHECK(refused.code == 5);
    CHECK_THAT(refused.error(), ContainsSubstring("there is no such checkpoint under"));
  }
  CHECK_FALSE(std::filesystem::exists(another.run(0)));
}

TEST_CASE("a run that has one epoch more than max_epochs has nothing left, with two more it is refused") {
  struct Case {
    const char* epochs;
    int code;
    const char* says;
  };
  for (const Case& c : {Case{"2", 0, "nothing is left to train"}, Case{"3", 2, "trainer.max_epochs is 1"}}) {
    const Sandbox sandbox;
    const std::string words = set_up + "--callback.model_checkpoint.save_on_train_epoch_end true --trainer.max_epochs ";
    REQUIRE(sandbox.bare("fit", words + c.epochs).code == 0);
    const Outcome second = sandbox.host("resume " + sandbox.run(0).string() + " --max_epochs 1");
    CHECK(second.code == c.code);
    CHECK_THAT(second.err, ContainsSubstring(c.says));
  }
}

TEST_CASE("fewer steps than the checkpoint has are refused, and as many leave nothing to train") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_steps 3").code == 0);
  const std::string resume = "resume " + sandbox.run(0).string() + " --max_steps ";
  const Outcome fewer = sandbox.host(resume + "2");
  CHECK(fewer.code == 2);
  CHECK_THAT(fewer.error(),
             ContainsSubstring("the checkpoint is at step 3, and trainer.max_steps is 2; give at least 4"));
  const Outcome same = sandbox.host(resume + "3");
  CHECK(same.code == 0);
  CHECK_THAT(same.err, ContainsSubstring("nothing is left to train"));
}

TEST_CASE("a resumed run that fails before its first batch is done leaves the saved options as they were") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--callback cb=recorder --trainer.max_epochs 1").code == 0);
  const std::string resume = "resume " + sandbox.run(0).string() + " --max_epochs 2 ";
  for (const char* at : {"on_load_checkpoint", "on_train_batch_end"}) {
    const Outcome failed = sandbox.host(resume + "--callback.cb.do throw --callback.cb.at " + at);
    CHECK(failed.code == 1);
    CHECK_THAT(sandbox.read(sandbox.run(0) / "config.json"), !ContainsSubstring("\"do\": \"throw\""));
  }
  REQUIRE(sandbox.host(resume).code == 0);
  CHECK_THAT(sandbox.read(sandbox.run(0) / "config.json"), ContainsSubstring("\"max_epochs\": 2"));
}

TEST_CASE("a run that had checkpoints does not start anew without them") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1").code == 0);
  const std::string config = sandbox.read(sandbox.run(0) / "config.json");
  const auto resume = [&] { return sandbox.host("resume " + sandbox.run(0).string() + " --max_epochs 2"); };
  const auto checkpoints = sandbox.run(0) / "checkpoints";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(checkpoints))
    if (entry.path().extension() == ".ckpt") files.push_back(entry.path());
  for (const auto& file : files) std::filesystem::resize_file(file, 200);
  const Outcome damaged = resume();
  CHECK(damaged.code == 5);
  CHECK(damaged.error_code() == "E0508");
  CHECK_THAT(damaged.err, ContainsSubstring("skipped a damaged checkpoint"));
  CHECK_THAT(damaged.error(), ContainsSubstring(sandbox.run(0).string()) && ContainsSubstring("--ckpt_path FILE"));
  for (const auto& file : files) std::filesystem::remove(file);
  CHECK(resume().code == 5);
  CHECK(sandbox.read(sandbox.run(0) / "config.json") == config);
}

TEST_CASE("a folder has one run at a time") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1 --trainer.log_version same").code == 0);
  const auto folder = sandbox.folder() / "levin_logs" / "same";
  const int fd = ::open((folder / ".lock").c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(::flock(fd, LOCK_EX | LOCK_NB) == 0);  // like a live run
  const Outcome resumed = sandbox.host("resume " + folder.string() + " --max_epochs 2");
  const Outcome again = sandbox.bare("fit", set_up + "--trainer.max_epochs 1 --trainer.log_version same");
  for (const Outcome& refused : {resumed, again}) {
    CHECK(refused.code == 2);
    CHECK_THAT(refused.error(), ContainsSubstring(folder.string() + ": another run uses this folder (process "));
  }
  ::close(fd);
  CHECK(sandbox.host("resume " + folder.string() + " --max_epochs 2").code == 0);
}

TEST_CASE("a second run of one version keeps the configuration of the first, and says so") {
  const Sandbox sandbox;
  const std::string words = set_up + "--trainer.log_version same --trainer.max_epochs ";
  REQUIRE(sandbox.bare("fit", words + "1").code == 0);
  const auto folder = sandbox.folder() / "levin_logs" / "same";
  const std::string config = sandbox.read(folder / "config.json");
  const Outcome second = sandbox.bare("fit", words + "2");
  CHECK(second.code == 0);
  CHECK_THAT(second.err, ContainsSubstring("config-1.json"));
  CHECK(sandbox.read(folder / "config-1.json") == config);
  CHECK(std::filesystem::exists(folder / "checkpoints" / "index-1.json"));
  CHECK(sandbox.read(folder / "config.json") != config);
}

TEST_CASE("best and last are those of a run of the same model") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1").code == 0);
  for (const char* which : {"best", "last"}) {
    const Outcome other = sandbox.bare("test", std::string("--model scripted_manual --ckpt_path ") + which);
    CHECK(other.code == 5);
    CHECK_THAT(other.error(), ContainsSubstring("of a run of model 'scripted_manual'"));
    CHECK(sandbox.bare("test", set_up + "--ckpt_path " + which).code == 0);
  }
}

TEST_CASE("with the configuration of a run, best and last are that run's") {
  const Sandbox sandbox;
  for (int run = 0; run < 2; ++run) REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1").code == 0);
  const std::string config = (sandbox.run(0) / "config.json").string();
  for (const char* which : {"best", "last"}) {
    const Outcome test = sandbox.host("test --config " + config + " --ckpt_path " + which);
    CHECK(test.code == 0);
    CHECK_THAT(test.err, ContainsSubstring((sandbox.run(0) / "checkpoints").string()));
  }
  std::filesystem::remove_all(sandbox.run(0) / "checkpoints");
  std::filesystem::create_directory(sandbox.run(0) / "checkpoints");
  const Outcome none = sandbox.host("test --config " + config + " --ckpt_path last");
  CHECK(none.code == 5);
  CHECK_THAT(none.error(), ContainsSubstring(sandbox.run(0).string()));
}

TEST_CASE("what was logged before a checkpoint is on the disk with it") {
  const Sandbox sandbox;
  const Outcome fit = sandbox.bare("fit", set_up + "--callback cb=recorder --trainer.max_epochs 3");
  REQUIRE(fit.code == 0);
  const size_t checkpoints = starting(fit.trace, "cb.on_save_checkpoint").size();
  CHECK(checkpoints >= 3);
  CHECK(starting(fit.trace, "log.flush").size() == checkpoints + 1);  // plus one at the end
}

TEST_CASE("a validation leaves the folder of the run that it names as it is") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1 --trainer.log_version 0").code == 0);
  const std::string config = sandbox.read(sandbox.run(0) / "config.json");
  const Outcome evaluated = sandbox.bare("validate", set_up + "--ckpt_path last --trainer.log_version 0");
  CHECK(evaluated.code == 0);
  CHECK_THAT(evaluated.err, ContainsSubstring("takes the next free number"));
  CHECK(sandbox.read(sandbox.run(0) / "config.json") == config);
  CHECK(std::filesystem::exists(sandbox.run(1) / "config.json"));
}

TEST_CASE(
    "a signal of a cluster and a closed terminal stop a fit, which saves; more of them while it does change nothing") {
  for (const char* deed : {"terminate", "usr1", "xcpu", "hang_up"}) {
    const Sandbox sandbox;
    const Outcome outcome = sandbox.bare(
        "fit", set_up +
                   "--trainer.max_epochs 2 --callback cb=recorder --callback.cb.do terminate "
                   "--callback.cb.at on_save_checkpoint --model.at training_step --model.batch 2 --model.do " +
                   deed);
    CHECK(outcome.code == 75);
    CHECK(starting(outcome.trace, "cb.teardown").size() == 1);
    CHECK(std::filesystem::exists(sandbox.run() / "checkpoints" / "interrupted.ckpt"));
    CHECK(sandbox.host("resume " + sandbox.run().string() + " --model.do nothing --callback.cb.do nothing").code == 0);
  }
}

TEST_CASE("a signal after which nothing could be saved does not end with the code of a run that is safe") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", set_up +
                              "--trainer.max_epochs 2 --callback cb=recorder --callback.cb.do throw "
                              "--callback.cb.at on_save_checkpoint --model.do terminate --model.at "
                              "training_step --model.batch 2");
  CHECK(outcome.code == 143);
}

TEST_CASE("what is not as it was when the run goes on is said, a line each, and refused with --strict_resume") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--callback cb=recorder --trainer.max_epochs 1").code == 0);
  const std::string resume = "resume " + sandbox.run(0).string() + " --max_epochs 2 ";
  struct Case {
    const char *words, *says;
  };
  const Case cases[] = {
      {"--data.batch_size 2", "data.batch_size is 2 and was 3"},
      {"--data.train 13", "data.train is 13 and was 14"},
      {"--trainer.seed_everything 7", "trainer.seed_everything is 7 and was 0"},
      {"--trainer.num_threads 2", "the number of threads is 2 and was 1"},
      {"--trainer.accumulate_grad_batches 2", "trainer.accumulate_grad_batches is 2 and was 1"},
      {"--model.lr 0.5", "model.lr is 0.5 and was 0.05; optimizers and schedules go on as the checkpoint has them"},
      {"--callback.cb.epoch 9", "callback.cb.epoch is 9 and was -1"}};
  for (const Case& c : cases) {
    const Outcome refused = sandbox.host(resume + c.words + " --strict_resume");
    CHECK(refused.code == 2);
    CHECK_THAT(refused.error(), ContainsSubstring("--strict_resume") && ContainsSubstring(c.says));
    CHECK_THAT(refused.err, ContainsSubstring(c.says));
  }
  const Outcome same = sandbox.host(resume + "--data.num_workers 1 --strict_resume");
  CHECK(same.code == 0);
  CHECK_THAT(same.err, !ContainsSubstring(" and was "));
  const Outcome other = sandbox.host("resume " + sandbox.run(0).string() + " --max_epochs 3 --data.batch_size 2");
  CHECK(other.code == 0);
  CHECK_THAT(other.err, ContainsSubstring("data.batch_size is 2 and was 3"));
}

TEST_CASE("what cannot be resumed is said") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1").code == 0);
  struct Case {
    std::string words;
    int code;
    std::string says;
  };
  const std::string file = last(sandbox, 0);
  const Case cases[] = {
      {"resume " + (sandbox.folder() / "nowhere").string(), 2, "there is no run folder"},
      {"resume " + file, 2, "--ckpt_path " + file},
      {"resume " + sandbox.run(0).string() + " --ckpt_path /nowhere.ckpt", 5, "/nowhere.ckpt"},
      {"resume " + sandbox.run(0).string() + " --log_version other", 2, "--log_version cannot be changed"},
      {"resume " + sandbox.run(0).string() + " --ckpt_path best --max_epochs 2", 0, ""},
  };
  for (const Case& c : cases) {
    const Outcome outcome = sandbox.host(c.words);
    CHECK(outcome.code == c.code);
    CHECK_THAT(outcome.error(), ContainsSubstring(c.says));
  }
  const Outcome manual = sandbox.bare("fit", "--model scripted_manual --model.optimizers 2 --ckpt_path " + file);
  CHECK(manual.code == 5);
  CHECK_THAT(manual.error(), ContainsSubstring("1 optimizers") && ContainsSubstring("has 2"));
}

}  // namespace resume_test
