// The Trainer in a program with its own model, data and functions.
#include "trainer_library/error_of.hpp"
#include "trainer_library/line.hpp"

TEST_CASE("a program fits its model on its tensors, and gets the metrics") {
  const TempFolder folder;
  const Rows train(64), val(16, 2);
  Line model;
  int epochs = 0;
  levin::Trainer trainer(options(folder));
  trainer.on_train_epoch_end([&](const levin::Event& event) { epochs += event.stage() == levin::Stage::fit; });
  const levin::RunMetrics metrics = trainer.fit(model, {train.x, train.y}, {val.x, val.y});
  CHECK(epochs == 3);
  CHECK(metrics.at("val_loss") < 0.1);
  CHECK(metrics.count("train_loss") == 1);
  const levin::RunMetrics validated = trainer.validate(model, {val.x, val.y});
  CHECK(validated.at("val_loss") == Approx(metrics.at("val_loss")));
  CHECK(trainer.test(model, {train.x, train.y}).at("test_loss") < 0.1);
}

TEST_CASE("a hook may save the running fit, and may not start another run of its Trainer") {
  const TempFolder folder;
  const Rows train(64);
  const std::string file = folder.file("first.ckpt");
  Line model, second;
  levin::Trainer trainer(options(folder));
  std::string refused;
  trainer.on_train_epoch_end([&](const levin::Event&) {
    if (!refused.empty()) return;
    trainer.save_checkpoint(file);
    refused = error_of([&] { trainer.fit(second, {train.x, train.y}); }).what();
  });
  const levin::RunMetrics whole = trainer.fit(model, {train.x, train.y});
  CHECK_THAT(refused, ContainsSubstring("this Trainer is running"));
  int epochs = 0;
  levin::Trainer other(options(folder));
  other.on_train_epoch_end([&](const levin::Event&) { ++epochs; });
  CHECK(other.fit(second, {train.x, train.y}, {}, file) == whole);
  CHECK(epochs == 2);
  trainer.on_validation_epoch_end(
      [&](const levin::Event&) { refused = error_of([&] { trainer.save_checkpoint(file); }).what(); });
  trainer.validate(model, {train.x, train.y});
  CHECK_THAT(refused, ContainsSubstring("nothing was trained yet"));
  CHECK_THAT(error_of([&] { trainer.save_checkpoint(""); }).what(), ContainsSubstring("the path is empty"));
}

TEST_CASE("tensors that are no data set, and options that do not exist, are named") {
  const TempFolder folder;
  const Rows train(64);
  Line model;
  levin::Trainer trainer(options(folder));
  CHECK_THAT(std::string(error_of([&] {
                           trainer.fit(model, {train.x, train.y.slice(0, 1)});
                         }).what()),
             ContainsSubstring("tensor 2 of 2 has 63 rows, and the first one has 64"));
  CHECK_THAT(std::string(error_of([&] {
                           trainer.fit(model, {train.x, torch::Tensor()});
                         }).what()),
             ContainsSubstring("tensor 2 of 2 is undefined"));
  CHECK_THAT(std::string(error_of([&] {
                           trainer.fit(model, {torch::ones({}), train.y});
                         }).what()),
             ContainsSubstring("tensor 1 of 2 is a single number"));
  levin::TrainerOptions wrong = options(folder);
  wrong.more = {{"max_epoch", 2}};
  CHECK_THAT(std::string(error_of([&] {
                           levin::Trainer(wrong).fit(model, {train.x, train.y});
                         }).what()),
             ContainsSubstring("there is no trainer option 'max_epoch'; did you mean 'max_epochs'?"));
  CHECK_THAT(std::string(error_of([&] {
                           trainer.fit(model, {train.x, train.y}, {}, folder.file("no.ckpt"));
                         }).what()),
             ContainsSubstring("ckpt_path: there is no checkpoint"));
}

TEST_CASE("save_checkpoint saves the fit, and a fit goes on from the file") {
  const TempFolder folder;
  const Rows train(64);
  const std::string file = folder.file("x.ckpt");
  Line first, second;
  levin::Trainer trainer(options(folder));
  trainer.fit(first, {train.x, train.y});
  trainer.save_checkpoint(file);
  levin::TrainerOptions longer = options(folder);
  longer.max_epochs = 4;
  int epochs = 0;
  levin::Trainer other(longer);
  other.on_train_epoch_end([&](const levin::Event&) { ++epochs; });
  other.fit(second, {train.x, train.y}, {}, file);
  CHECK(epochs == 1);
  Line third;
  const levin::RunMetrics tested = other.test(third, {train.x, train.y}, file);
  CHECK(tested.at("test_loss") == Approx(trainer.test(first, {train.x, train.y}).at("test_loss")));
}
