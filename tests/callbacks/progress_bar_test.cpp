#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "callbacks/progress_bar/bar.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"
#include "levin/util/text.hpp"

namespace progress_bar_test {
using namespace levin::progress_bar;
using levin::clock_text;
using levin::metric_text;

TEST_CASE("times are short") {
  CHECK(clock_text(0) == "0:00");
  CHECK(clock_text(72.9) == "1:12");
  CHECK(clock_text(3672) == "1:01:12");
  CHECK(clock_text(std::nan("")) == "?");
}

TEST_CASE("metrics show the digits that matter") {
  struct Case {
    double value;
    const char* text;
  };
  for (const Case& c : {Case{0.123456, "0.123"},
                        {12.3456, "12.35"},
                        {1234.56, "1234.6"},
                        {3, "3.0"},
                        {0, "0.0"},
                        {1e-5, "1.00e-05"},
                        {1.5e7, "1.50e+07"},
                        {std::nan(""), "nan"},
                        {-INFINITY, "-inf"}})
    CHECK(metric_text(c.value) == c.text);
}

namespace {

size_t columns(const std::string& line) {
  return static_cast<size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

TEST_CASE("a terminal's line shows epoch, batches, times and metrics within the width") {
  const Progress progress{"Epoch 3/11", 120, 390, 12, {{"loss", 0.5}}};
  CHECK(terminal_line(progress, 70) == "Epoch 3/11 ━━━━━━────────────── 120/390 0:12<0:27 10.0 it/s loss 0.500");
  CHECK(terminal_line(progress, 45) == "Epoch 3/11 ━──── 120/390 0:12<0:27 loss 0.500");
  CHECK(terminal_line(progress, 30) == "Epoch 3/11 ━──── 120/390 <0:27");
  CHECK(terminal_line(progress, 20) == "Epoch 3/11 120/390 <");
  CHECK(terminal_line({"Epoch 1", 5, -1, 1, {}}, 79) == "Epoch 1 5/? 0:01 5.00 it/s");
  CHECK(terminal_line({"Epoch 1", 0, 10, 0, {}}, 30) == "Epoch 1 ────────── 0/10 0:00<?");
  for (size_t width : {10u, 40u, 60u, 200u}) CHECK(columns(terminal_line(progress, width)) <= width);
}

TEST_CASE("where a terminal's line has no room for all metrics, those of the validation come first") {
  Progress progress{"Epoch 2/3", 120, 391, 12, {{"train_loss_step", 0.5}, {"train_acc", 0.75}, {"val_loss", 0.25}}};
  progress.metrics.insert(progress.metrics.end(), {{"val_acc", 0.875}, {"train_loss_epoch", 0.25}});
  CHECK(terminal_line(progress, 78) ==
        "Epoch 2/3 ━━─────── 120/391 <0:27 train_acc 0.750 val_loss 0.250 val_acc 0.875");
  CHECK_THAT(terminal_line(progress, 60), ContainsSubstring(" <0:27 val_loss 0.250 val_acc 0.875"));
  CHECK_THAT(terminal_line(progress, 50), ContainsSubstring("━") && ContainsSubstring(" <0:27 val_loss 0.250"));
  CHECK_THAT(
      terminal_line(progress, 200),
      ContainsSubstring("0:12<0:27 10.0 it/s train_loss_step 0.500 train_acc 0.750 val_loss 0.250 val_acc 0.875"));
}

TEST_CASE("a file's line says the same in words") {
  CHECK(plain_line({"Epoch 3/11", 120, 390, 12, {{"loss", 0.5}}}) ==
        "Epoch 3/11: 120/390 (30 %), 10.0 it/s, 0:12 done, 0:27 left, loss 0.500");
  CHECK(plain_line({"Testing", 5, 5, 1, {}}) == "Testing: 5/5 (100 %), 5.00 it/s, 0:01 done");
  CHECK(plain_line({"Testing", 5, -1, 1, {}}) == "Testing: 5/?, 5.00 it/s, 0:01 done");
}

TEST_CASE("what stays of an epoch has all metrics, on several lines of a narrow terminal") {
  const Progress progress{"Epoch 3/11", 390, 390, 39, {{"train_loss", 0.5}, {"val_loss", 0.25}}};
  CHECK(epoch_lines(progress, 0) == "Epoch 3/11: 390/390 in 0:39, 10.0 it/s, train_loss 0.500, val_loss 0.250");
  CHECK(epoch_lines(progress, 40) ==
        "Epoch 3/11: 390/390 in 0:39,\n"
        "  train_loss 0.500, val_loss 0.250");
}

TEST_CASE("the bar is redrawn every so many batches, at the start and at the end") {
  struct Case {
    int64_t rate, total;
    std::string drawn;
  };
  for (const Case& c : {Case{1, 3, "0123"}, {3, 5, "035"}, {6, 5, "05"}, {3, 1, "01"}, {2, 6, "0246"}, {0, 3, ""}}) {
    Pace pace(c.rate, 0);
    std::string drawn;
    for (int64_t done = 0; done <= c.total; ++done)
      if (pace.due(done, c.total, static_cast<double>(done))) drawn += std::to_string(done);
    CHECK(drawn == c.drawn);
  }
}

TEST_CASE("the bar is not redrawn more often than its interval, but for the last batch") {
  Pace pace(1, 0.1);
  CHECK(pace.due(0, 100, 0));
  CHECK_FALSE(pace.due(1, 100, 0.05));
  CHECK(pace.due(2, 100, 0.11));
  CHECK_FALSE(pace.due(3, 100, 0.15));
  CHECK(pace.due(100, 100, 0.16));
}

TEST_CASE("a file gets a line every 30 seconds and a twentieth of the epoch at most") {
  PlainPace pace;
  pace.start(0);
  CHECK_FALSE(pace.due(50, 100, 29));
  CHECK(pace.due(51, 100, 31));
  CHECK_FALSE(pace.due(52, 100, 62));
  CHECK(pace.due(57, 100, 63));
}

TEST_CASE("the clock is left alone for half the time that nothing can be due") {
  CHECK(batches_to_skip(1000, 1, 0.1) == 50);
  CHECK(batches_to_skip(1, 10, 0.1) == 0);
  CHECK(batches_to_skip(1, 0, 0.1) == 0);
  CHECK(batches_to_skip(1000, 1, -1) == 0);
}

TEST_CASE("without a last epoch the bar counts the steps that are left") {
  CHECK(total_batches(100, 10, -1, 0) == 100);
  CHECK(total_batches(INFINITY, -1, 10, 0) == 10);
  CHECK(total_batches(INFINITY, -1, 10, 4) == 6);
  CHECK(total_batches(5, -1, 100, 0) == 5);
  CHECK(total_batches(INFINITY, 10, -1, 0) == -1);
  CHECK(total_batches(-1, 10, -1, 0) == -1);
}

TEST_CASE("a rate counts only the batches that the clock has seen") {
  const Progress progress{"Epoch 0", 60, 100, 5, {}, 50};
  CHECK(plain_line(progress) == "Epoch 0: 60/100 (60 %), 2.00 it/s, 0:05 done, 0:20 left");
  CHECK_THAT(plain_line({"Epoch 0", 50, 100, 0, {}, 50}), !ContainsSubstring("it/s"));
}

namespace {

// Returns the text written to standard output by the body.
template <class Body>
std::string written(Body&& body) {
  std::fflush(stdout);
  FILE* file = std::tmpfile();
  const int before = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  body();
  std::fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  std::rewind(file);
  std::string out;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) out += static_cast<char>(c);
  std::fclose(file);
  return out;
}

}  // namespace

TEST_CASE("a fit that goes on inside an epoch has a bar from its first batch on") {
  levin::testing::FakeHost host;
  levin::testing::Component bar(host, "progress_bar", {{"style", "plain"}});
  const std::string text = written([&] {
    host.at(2, 9);
    bar.send(LEVIN_HOOK_TRAIN_START);
    for (int64_t batch = 1; batch < 4; ++batch) bar.send_batch(LEVIN_HOOK_TRAIN_BATCH_END, batch, 4);
    bar.send(LEVIN_HOOK_TRAIN_EPOCH_END);
  });
  CHECK_THAT(text, ContainsSubstring("Epoch 3/10: 4/4 in 0:00"));
  CHECK(written([&] {
          bar.send(LEVIN_HOOK_TRAIN_START);
          bar.send(LEVIN_HOOK_TRAIN_EPOCH_END);  // without a batch
        }).empty());
}

TEST_CASE("the bar moves within a batch that is cut into splits") {
  levin::testing::FakeHost host;
  host.numbers["truncated_bptt_steps"] = 10;
  host.numbers["num_training_batches"] = 1;
  host.numbers["split_idx"] = 74;
  host.numbers["num_splits"] = 300;
  levin::testing::Component bar(host, "progress_bar", {{"style", "terminal"}, {"refresh_interval", 0}});
  const std::string text = written([&] {
    for (const uint32_t hook : {LEVIN_HOOK_TRAIN_START, LEVIN_HOOK_TRAIN_EPOCH_START, LEVIN_HOOK_AFTER_BACKWARD})
      bar.send(hook);
    bar.send_batch(LEVIN_HOOK_TRAIN_BATCH_END, 0, 1);
    bar.send(LEVIN_HOOK_TEARDOWN);
  });
  CHECK_THAT(text, ContainsSubstring(" 0/1 split 75/300 0:00<"));
  CHECK_THAT(text, ContainsSubstring(" 1/1 0:00<"));
  const Progress progress{"Epoch 0", 1, 2, 30, {}, 0, 75, 300};
  CHECK(plain_line(progress) == "Epoch 0: 1/2 split 75/300 (62 %), 0.04 it/s, 0:30 done, 0:18 left");
}

TEST_CASE("a fit that fails within an epoch keeps the line of that epoch") {
  levin::testing::FakeHost host;
  levin::testing::Component bar(host, "progress_bar", {{"style", "plain"}});
  CHECK_THAT(written([&] {
               bar.send(LEVIN_HOOK_TRAIN_START);
               bar.send(LEVIN_HOOK_TRAIN_EPOCH_START);
               for (int64_t batch = 0; batch < 2; ++batch) bar.send_batch(LEVIN_HOOK_TRAIN_BATCH_END, batch, 4);
               bar.send(LEVIN_HOOK_EXCEPTION);
             }),
             ContainsSubstring("Epoch 1/10: 2/4 in 0:00"));
  CHECK(written([&] {
          bar.send(LEVIN_HOOK_TRAIN_EPOCH_START);
          bar.send(LEVIN_HOOK_EXCEPTION);  // before the first batch
        }).empty());
}

TEST_CASE("the line of a fit that fails has the time until then, without that of validations") {
  levin::testing::FakeHost host;
  levin::testing::Component bar(host, "progress_bar", {{"style", "plain"}});
  const bool in_validation = GENERATE(false, true);
  const std::string text = written([&] {
    bar.send(LEVIN_HOOK_TRAIN_START);
    bar.send(LEVIN_HOOK_TRAIN_EPOCH_START);
    for (int64_t batch = 0; batch < 100; ++batch) bar.send_batch(LEVIN_HOOK_TRAIN_BATCH_END, batch, 4);
    usleep(1'100'000);
    if (in_validation) {
      bar.send(LEVIN_HOOK_VALIDATION_START);
      usleep(1'100'000);
    }
    bar.send(LEVIN_HOOK_EXCEPTION);
  });
  CHECK_THAT(text, ContainsSubstring("100/4 in 0:01, 9"));
}

TEST_CASE("progress_bar with refresh_rate 0 is silent") {
  levin::testing::FakeHost host;
  levin::testing::Component bar(host, "progress_bar", {{"refresh_rate", 0}});
  for (const uint32_t hook : {LEVIN_HOOK_TRAIN_START, LEVIN_HOOK_TRAIN_EPOCH_START, LEVIN_HOOK_TRAIN_EPOCH_END})
    bar.send(hook);
  host.at(1, 4);
  bar.send(LEVIN_HOOK_TRAIN_END);
  CHECK(host.printed.empty());
}

TEST_CASE("progress_bar is silent in a quiet run") {
  levin::testing::FakeHost host;
  host.numbers["verbosity"] = -1;
  levin::testing::Component bar(host, "progress_bar", {{"style", "plain"}});
  CHECK(written([&] {
          bar.send(LEVIN_HOOK_TRAIN_START);
          bar.send(LEVIN_HOOK_TRAIN_EPOCH_START);
          for (int64_t batch = 0; batch < 4; ++batch) bar.send_batch(LEVIN_HOOK_TRAIN_BATCH_END, batch, 4);
          bar.send(LEVIN_HOOK_TRAIN_EPOCH_END);
        }).empty());
}

}  // namespace progress_bar_test
