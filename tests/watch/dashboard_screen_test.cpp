#include "host/watch/dashboard_screen.hpp"
#include "catch.hpp"
#include "core/base/text.hpp"
#include "sdk/include/levin/util/terminal.hpp"

using namespace levin::core;
using namespace levin::core::watch;

namespace {

std::string message(int step, double loss) {
  return "run_dir\t/tmp/levin_logs/version_3\ntitle\tEpoch 2/10\ndone\t" + std::to_string(step % 50) +
         "\ntotal\t50\nbefore\t0\nseconds\t5\nepoch\t1\nstep\t" + std::to_string(step) +
         "\nsteps\t500\nstage\tfit\nmemory\t\npaused\t0\nnote\t\nmetric\ttrain_loss\t" + std::to_string(loss) +
         "\nmetric\tval_acc\t0.5\n";
}

RunMessages messages(int n) {
  RunMessages out;
  for (int i = 0; i < n; ++i) out.read(message(60 + i, 1.0 / (i + 1)), i);
  return out;
}

std::string text_of(const std::vector<std::string>& lines) { return join(lines, "\n"); }

}  // namespace

TEST_CASE("the dashboard fits every terminal and fills it") {
  RunMessages run = messages(40);
  run.read("note\t" + std::string(400, 'x') + "\n", 50);
  for (const RunMood mood : {RunMood::starting, RunMood::running, RunMood::stopping})
    for (const size_t columns : {1, 10, 40, 80, 200, 300})
      for (const size_t rows : {1, 2, 3, 5, 10, 24, 60}) {
        const auto lines =
            dashboard_screen({&run, mood, {std::string(400, 'l')}, std::string(5000, 'o')}, {columns, rows, false});
        INFO(columns << " x " << rows);
        CHECK(lines.size() == rows);
        for (const std::string& line : lines) {
          CHECK(levin::text_columns(line) <= columns);
          CHECK_THAT(line, !ContainsSubstring("\x1b"));
        }
      }
}

TEST_CASE("the dashboard shows the step, the time left, the bar, the load, the curves, the log and the keys") {
  const RunMessages run = messages(40);
  const DashboardState state{
      &run, RunMood::running, {"run 150 % CPU", ", 2 GiB", std::string(80, 'x')}, "one\nhost: warning: two\x1b[2J\n"};
  const auto lines = dashboard_screen(state, {80, 30, false});
  CHECK(lines[0] == "version_3: fit, 6:41 left, step 99/500");  // 39 steps in 39 s
  CHECK(lines[1] == "Epoch 2/10 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━─ 49/50 0:05<0:00 9.80 it/s");
  CHECK(lines[2] == "run 150 % CPU, 2 GiB");
  CHECK_THAT(lines[3], ContainsSubstring("loss  train 0.025"));
  CHECK(lines[28] == "host: warning: two?[2J");
  CHECK(lines[29] == "q stop and save   s save now   p pause");
  CHECK_THAT(text_of(lines), ContainsSubstring("\xe2\xa0"));  // Braille
}

TEST_CASE("numbers that do not fit are left out whole") {
  const RunMessages run = messages(40);
  const auto lines =
      dashboard_screen({&run, RunMood::running, {"run", " 12345678901234567890123"}, ""}, {25, 30, false});
  CHECK(lines[0] == "version_3: fit, 6:41 left");
  CHECK(lines[1] == "Epoch 2/10 ━━━━━━━─ 49/50");
  CHECK(lines[2] == "run");
}

TEST_CASE("a paused, a saved and a stopping run say so") {
  RunMessages run = messages(3);
  run.read("paused\t1\nnote\tsaved checkpoints/saved.ckpt\n", 4);
  const auto paused = dashboard_screen({&run, RunMood::running, {}, ""}, {100, 24, false});
  CHECK_THAT(paused[0], ContainsSubstring("version_3: PAUSED, 14:36 left, step 62/500") &&
                            ContainsSubstring(", saved checkpoints/saved.ckpt"));
  CHECK_THAT(paused.back(), ContainsSubstring("p continue"));
  CHECK_THAT(dashboard_screen({&run, RunMood::stopping, {}, ""}, {100, 24, false})[0],
             ContainsSubstring("version_3: stopping after this batch; Ctrl-C again quits without saving"));
}

TEST_CASE("a pause does not count for the time left") {
  RunMessages run = messages(40);
  run.read("paused\t1\n", 39);
  run.read("note\tsaved\n", 1000);
  run.read("paused\t0\n", 3000);
  CHECK(run.seconds_left().value() == Approx(401));
}

TEST_CASE("a long run's curve keeps its ends and a few thousand points") {
  const RunMessages run = messages(20000);
  const MetricHistory& loss = run.metrics().at("train_loss");
  CHECK(loss.values.size() < 4000);
  CHECK(loss.values.size() == loss.steps.size());
  CHECK(loss.steps.front() == 60);
  CHECK(loss.steps.back() > 19000);
  CHECK(run.metrics().at("val_acc").values.size() == 1);  // it has not changed
}

TEST_CASE("a run that has said nothing, or nonsense, has a screen") {
  RunMessages run;
  CHECK_THAT(dashboard_screen({&run, RunMood::starting, {}, ""}, {80, 24, false})[0],
             ContainsSubstring("run: starting"));
  run.read("\n\t\nmetric\t\t\t\nmetric\ta\nnan\nsteps\tinf\ndone\t-5\ntotal\tx\ntitle\tE\x1b[1m\nmetric\tl\x1b\tnan\n",
           1);
  run.read("step\t-1\nmetric\tl\tinf\ndone\t1e300\ntotal\t5\n", 2);
  for (const size_t columns : {5, 80})
    for (const std::string& line : dashboard_screen({&run, RunMood::running, {}, ""}, {columns, 24, false})) {
      CHECK(levin::text_columns(line) <= columns);
      CHECK_THAT(line, !ContainsSubstring("\x1b"));
    }
}
