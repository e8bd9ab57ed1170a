// Plugins from files, several Trainers in one process, errors and signals.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

#include "trainer_library/error_of.hpp"
#include "trainer_library/line.hpp"

namespace {

struct Stubborn : Line {
  torch::Tensor training_step(const levin::Batch&) { throw std::runtime_error("no more"); }
};
struct Wild : Line {
  torch::Tensor training_step(const levin::Batch& batch) { return loss_of(batch) / 0.0; }
};

void (*handler_of(int signal))(int) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  return now.sa_handler;
}

// Returns what f() writes to the standard error, as signal handlers do.
template <class F>
std::string errors_of(const TempFolder& folder, const F& f) {
  const std::string file = folder.file("stderr");
  const int before = dup(STDERR_FILENO), to = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(to, STDERR_FILENO);
  f();
  dup2(before, STDERR_FILENO);
  close(before);
  close(to);
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("callbacks, loggers and data modules come from plugin files") {
  const TempFolder folder;
  const Rows train(64), val(16, 2);
  Line model;
  levin::TrainerOptions given = options(folder);
  given.max_epochs = 50;
  given.callbacks = {{"early_stopping", {{"monitor", "val_loss"}, {"min_delta", 100.0}, {"patience", 1}}}};
  given.loggers = {{"csv"}};
  levin::Trainer trainer(given);
  int epochs = 0;
  trainer.on_train_epoch_end([&](const levin::Event&) { ++epochs; });
  trainer.fit(model, {train.x, train.y}, {val.x, val.y});
  CHECK(epochs == 2);
  CHECK(std::filesystem::exists(std::filesystem::path(trainer.run_dir()) / "metrics.csv"));
}

TEST_CASE("several Trainers of a process keep their own state, also on several threads") {
  const TempFolder folder;
  const Rows train(64);
  Line a, b, c;
  levin::Trainer first(options(folder)), second(options(folder));
  first.fit(a, {train.x, train.y});
  second.fit(b, {train.x, train.y});
  CHECK(first.run_dir() != second.run_dir());
  first.save_checkpoint(folder.file("a.ckpt"));
  CHECK(first.test(c, {train.x, train.y}, folder.file("a.ckpt")) == first.test(a, {train.x, train.y}));
  const auto prediction = first.predict(c, {train.x, train.y}, folder.file("a.ckpt"));
  REQUIRE(prediction.size() == 8);
  CHECK(torch::allclose(prediction[0], second.predict(a, {train.x, train.y})[0]));
  levin::RunMetrics here, there;
  std::thread other([&] { there = second.fit(b, {train.x, train.y}); });
  here = first.fit(a, {train.x, train.y});
  other.join();
  CHECK(here.count("train_loss") + there.count("train_loss") == 2);
}

TEST_CASE("an error has its kind, and the Trainer works after it") {
  const TempFolder folder;
  const Rows train(64);
  Line model;
  Stubborn stubborn;
  Wild wild;
  levin::TrainerOptions wrong = options(folder);
  wrong.more = {{"trainer.max_epoch", 3}};
  const auto unknown = error_of([&] { levin::Trainer(wrong).fit(model, {train.x, train.y}); });
  CHECK(unknown.kind() == levin::ErrorKind::usage);
  CHECK_THAT(unknown.what(), ContainsSubstring("TrainerOptions: trainer.max_epoch") && ContainsSubstring("max_epochs"));
  levin::Trainer trainer(options(folder));
  CHECK(error_of([&] { trainer.save_checkpoint("x"); }).code() == "E0246");
  CHECK(error_of([&] { trainer.save_checkpoint("x"); }).kind() == levin::ErrorKind::usage);
  const auto thrown = error_of([&] { trainer.fit(stubborn, {train.x, train.y}); });
  CHECK(thrown.kind() == levin::ErrorKind::run);
  CHECK_THAT(thrown.what(), ContainsSubstring("no more"));
  const auto infinite = error_of([&] { trainer.fit(wild, {train.x, train.y}); });
  CHECK(infinite.kind() == levin::ErrorKind::non_finite);
  CHECK(infinite.code() == "E0601");
  const std::string gone = folder.file("gone.ckpt");
  CHECK(error_of([&] { trainer.fit(model, {train.x, train.y}, {}, gone); }).kind() == levin::ErrorKind::checkpoint);
  CHECK(trainer.fit(model, {train.x, train.y}).count("train_loss") == 1);
}

TEST_CASE("each member of the options is an option of the Trainer") {
  const TempFolder folder;
  const Rows train(64), val(16, 2);
  levin::TrainerOptions all = options(folder);
  all.max_epochs = 2, all.max_steps = 6, all.min_epochs = 1, all.min_steps = 1;
  all.accelerator = "cpu", all.devices = 1, all.precision = "32-true", all.num_threads = 1;
  all.batch_size = 16, all.accumulate_grad_batches = 2, all.gradient_clip_val = 1.0;
  all.gradient_clip_algorithm = "norm";
  all.limit_train_batches = 1.0, all.limit_val_batches = 1.0, all.limit_test_batches = 1.0;
  all.limit_predict_batches = 1.0, all.val_check_interval = 1.0, all.check_val_every_n_epoch = 1;
  all.num_sanity_val_steps = 1, all.log_every_n_steps = 1, all.fast_dev_run = false, all.deterministic = true;
  all.seed_everything = 5, all.non_finite = "skip", all.run_name = "all";
  Line model;
  CHECK(levin::Trainer(all).fit(model, {train.x, train.y}, {val.x, val.y}).count("val_loss") == 1);
  Wild wild;  // its steps are skipped
  CHECK_NOTHROW(levin::Trainer(all).fit(wild, {train.x, train.y}));
}

TEST_CASE("tensors that are no rows of one split are refused") {
  const auto refused = error_of([] { levin::Data{torch::zeros({4, 2}), torch::zeros({3})}; });
  CHECK(refused.kind() == levin::ErrorKind::usage);
  CHECK(error_of([] { levin::Data{torch::Tensor()}; }).kind() == levin::ErrorKind::usage);
}

TEST_CASE("a fit that was stopped at any step and resumed ends with the same weights") {
  const TempFolder folder;
  const Rows train(64);
  const std::string file = folder.file("part.ckpt");
  levin::TrainerOptions given = options(folder);
  given.seed_everything = 5;
  torch::manual_seed(3);
  Line whole;
  levin::Trainer(given).fit(whole, {train.x, train.y});
  for (const int step : {1, 7, 8, 11}) {
    INFO(step);
    levin::TrainerOptions shorter = given;
    shorter.max_steps = step;
    torch::manual_seed(3);  // the same first weights
    Line part, rest;
    levin::Trainer first(shorter);
    first.fit(part, {train.x, train.y});
    first.save_checkpoint(file);
    levin::Trainer(given).fit(rest, {train.x, train.y}, {}, file);
    CHECK(torch::equal(rest.parameters()[0], whole.parameters()[0]));
  }
}

TEST_CASE("a Trainer takes signals only if it is asked to") {
  const TempFolder folder;
  const Rows train(64);
  Line model;
  bool taken = true;
  levin::Trainer plain(options(folder));
  const auto before = handler_of(SIGINT), before_term = handler_of(SIGTERM);
  plain.on_train_epoch_end([&](const levin::Event&) { taken = handler_of(SIGINT) != before; });
  plain.fit(model, {train.x, train.y});
  CHECK_FALSE(taken);
  levin::TrainerOptions given = options(folder);
  given.signals = true;
  {
    levin::Trainer asked(given);
    asked.on_train_epoch_end([](const levin::Event&) { raise(SIGTERM); });
    levin::TrainerError stopped{levin::ErrorKind::internal, "", ""};
    const std::string said = errors_of(folder, [&] {
      stopped = error_of([&] { asked.fit(model, {train.x, train.y}); });
    });
    CHECK(stopped.kind() == levin::ErrorKind::interrupted);
    CHECK_THAT(said, ContainsSubstring("levin: warning: SIGTERM: stopping after this batch"));
    CHECK_THAT(said, !ContainsSubstring("host"));
    CHECK_THAT(stopped.what(), ContainsSubstring("interrupted.ckpt"));
  }
  CHECK(handler_of(SIGTERM) == before_term);
  CHECK(plain.fit(model, {train.x, train.y}).count("train_loss") == 1);
}

TEST_CASE("host resume refuses a run whose model is part of a program, and names the program") {
  const TempFolder folder;
  const Rows train(64);
  Line model;
  levin::Trainer trainer(options(folder));
  trainer.fit(model, {train.x, train.y});
  std::string said;
  FILE* host = popen((LEVIN_TEST_HOST " resume '" + trainer.run_dir() + "' 2>&1").c_str(), "r");
  for (int c; (c = std::fgetc(host)) != EOF;) said += static_cast<char>(c);
  CHECK(pclose(host) != 0);
  CHECK_THAT(said, ContainsSubstring("model 'Line' is part of the program /") &&
                       ContainsSubstring("test_trainer_library and in no plugin file"));
}
