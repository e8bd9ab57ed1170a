// The Trainer in a program with its own model, data and functions.
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
