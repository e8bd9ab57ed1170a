#include "runs/run_state.hpp"

#include <stdlib.h>

#include "catch.hpp"
#include "core/base/file.hpp"
#include "runs/run_row.hpp"
#include "temp_folder.hpp"

using namespace levin::core;

TEST_CASE("the end of a log says how the run ended") {
  const std::string begun = "T info model mlp\n", done = "T info everything about this run is in /x\n",
                    stopped = "T warning interrupted by SIGUSR1\nT info saved /x\nT info back in the queue\n",
                    failed = "T error the loss is nan\n";
  const std::string fresh = "T info a new run begins\n", resume = "T info a resume begins\n" + begun,
                    resumes = "T info resumes from x\n";
  const std::pair<std::string, RunState> logs[] = {
      {"", RunState::interrupted},
      {begun, RunState::interrupted},
      {begun + done, RunState::done},
      {begun + stopped, RunState::interrupted},
      {begun + stopped + begun + done, RunState::done},
      {begun + failed, RunState::failed},
      {begun + failed + "T info resumes from x\n", RunState::interrupted},
      {fresh + begun + done + resume + failed, RunState::done},
      {fresh + begun + done + resume + stopped, RunState::done},
      {fresh + begun + done + resume + "host: error[E7002]: crash: signal 11\n", RunState::done},
      {fresh + begun + done + resume, RunState::done},
      {fresh + begun + done + resume + failed + resume + failed, RunState::done},
      {fresh + begun + stopped + resume + failed, RunState::interrupted},
      {fresh + begun + resume + failed, RunState::interrupted},
      {fresh + begun + done + resume + resumes + failed, RunState::failed},
      {fresh + begun + done + resume + resumes + stopped, RunState::interrupted},
      {fresh + begun + done + resume + resumes, RunState::interrupted},
      {fresh + begun + done + resume + resumes + done + resume + failed, RunState::done},
      {fresh + begun + resume + "T warning there is no checkpoint to resume from: ...\n" + failed, RunState::failed},
      {fresh + begun + done + fresh + begun + failed, RunState::failed},
      {fresh + begun + done + fresh + begun, RunState::interrupted},
      {fresh + begun + done + resume + failed + fresh + begun + failed, RunState::failed},
      {begun + failed + "T info goes on from x\n", RunState::interrupted},
      {begun + "host: error[E7002]: crash: signal 11\n", RunState::failed},
      {begun + "host: error[E7501]: interrupted twice: quits now without saving\n", RunState::interrupted}};
  for (const auto& [log, state] : logs) {
    INFO(log);
    CHECK(end_in_log(log).state == state);
  }
  CHECK(end_in_log(failed).error == "the loss is nan");
}

TEST_CASE("a run whose config.json leads out of its folder is broken, with the number of the error") {
  const TempFolder temp;
  std::filesystem::create_directories(temp.path() / "run");
  write_file_durable(temp.path() / "config.json", "{}");
  std::filesystem::create_symlink(temp.path() / "config.json", temp.path() / "run" / "config.json");
  const RunRow row = read_run(temp.path() / "run", "run");
  CHECK(row.state == RunState::broken);
  CHECK(row.code == "E0238");
}

TEST_CASE("what squeue prints is read by job, and tasks of an array are told apart") {
  const JobQueue queue = queue_in_text("17_0 RUNNING\n17_1 PENDING\n18 COMPLETING\n");
  CHECK(queue.known);
  CHECK(queue.state.at("17_1") == "PENDING");
  CHECK(state_in_queue("COMPLETING") == RunState::running);
  CHECK(state_in_queue("REQUEUED") == RunState::waiting);
  CHECK(state_in_queue("CANCELLED") == RunState::lost);
  CHECK(queue_in_text("").known);
}

TEST_CASE("the last values of a table of metrics are found, of a long one and a torn one too") {
  const TempFolder folder;
  const std::filesystem::path file = folder / "metrics.csv";
  const auto after = [&file](const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
    return last_metrics(file);
  };
  using Values = std::map<std::string, double>;
  CHECK(last_metrics(file).empty());
  CHECK(after("").empty());
  CHECK(after("step").empty());
  CHECK(after("epoch,step\n").empty());
  CHECK(after("epoch,step,\"a,b\"\n0,4,1.5\n,9,\n") == Values{{"epoch", 0}, {"step", 9}, {"a,b", 1.5}});
  CHECK(after("step,x\n1,2\n2,3") == Values{{"step", 1}, {"x", 2}});
  // A test row after epoch 1 has epoch 2, but is not an epoch of its own.
  CHECK(after("epoch,step,test_acc,val_acc\n1,99,,0.8\n2,100,0.7,\n") ==
        Values{{"epoch", 1}, {"step", 100}, {"test_acc", 0.7}, {"val_acc", 0.8}});
  std::string text = "step,x\n7,1\n";
  for (int i = 0; i < 300000; ++i) text += "8,2\n";
  CHECK(after(text + "9,nan\n").at("step") == 9);
}
