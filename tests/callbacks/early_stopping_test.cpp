#include <cstring>

#include "catch.hpp"
#include "levin/testing.hpp"

namespace early_stopping_test {
using levin::Stage;
using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

int64_t stopped_epoch(Component& component) {
  int64_t value = 0;
  std::memcpy(&value, component.save().bytes.at("stopped_epoch").data(), sizeof value);
  return value;
}

void check_at(FakeHost& host, Component& stop, int64_t epoch, double value,
              uint32_t hook = LEVIN_HOOK_TRAIN_EPOCH_END) {
  host.at(epoch, 4 * (epoch + 1));
  host.set_metric("val_loss", value);
  stop.send(hook);
}

}  // namespace

TEST_CASE("early_stopping asks the trainer to stop and says why") {
  FakeHost host;
  Component stop(host, "early_stopping", {{"patience", 2}});
  for (const double v : {1.0, 2.0}) check_at(host, stop, v > 1 ? 1 : 0, v);
  CHECK(host.stopped.empty());
  CHECK(stopped_epoch(stop) == -1);
  check_at(host, stop, 2, 2.0);
  REQUIRE(host.stopped.size() == 1);
  CHECK_THAT(host.stopped[0], ContainsSubstring("val_loss did not improve in the last 2 checks"));
  CHECK(host.messages.empty());  // the trainer prints the reason
  CHECK(stopped_epoch(stop) == 2);
}

TEST_CASE("early_stopping checks at the hook that suits the run") {
  struct Case {
    double val_check_interval, check_val_every_n_epoch;
    int option;  // -1 = not set
    bool at_train_epoch_end;
  };
  for (const Case& c : {Case{1, 1, -1, true}, Case{0.5, 1, -1, false}, Case{1, 2, -1, false}, Case{1, 1, 0, false},
                        Case{0.5, 1, 1, true}}) {
    FakeHost host;
    host.numbers["val_check_interval"] = c.val_check_interval;
    host.numbers["check_val_every_n_epoch"] = c.check_val_every_n_epoch;
    levin::testing::Options options{{"patience", 0}};
    if (c.option >= 0) options.set({"check_on_train_epoch_end", c.option == 1});
    Component stop(host, "early_stopping", options);
    stop.send(LEVIN_HOOK_SETUP);
    const uint32_t hooks[] = {LEVIN_HOOK_VALIDATION_END, LEVIN_HOOK_TRAIN_EPOCH_END};
    check_at(host, stop, 0, 1, hooks[c.at_train_epoch_end]);
    check_at(host, stop, 1, 2, hooks[!c.at_train_epoch_end]);
    CHECK(host.stopped.empty());
    check_at(host, stop, 1, 2, hooks[c.at_train_epoch_end]);
    CHECK(host.stopped.size() == 1);
  }
}

TEST_CASE("early_stopping keeps out of everything but a real fit") {
  FakeHost host;
  Component stop(host, "early_stopping", {{"patience", 0}, {"check_on_train_epoch_end", false}});
  host.set_metric("val_loss", 1);
  stop.send(LEVIN_HOOK_SETUP, Stage::validate);
  for (int i = 0; i < 3; ++i) stop.send(LEVIN_HOOK_VALIDATION_END, Stage::validate);
  stop.send(LEVIN_HOOK_SETUP);
  for (int i = 0; i < 3; ++i) stop.send(LEVIN_HOOK_VALIDATION_END, Stage::sanity);
  host.numbers["fast_dev_run"] = 1;
  for (int i = 0; i < 3; ++i) stop.send(LEVIN_HOOK_VALIDATION_END, Stage::validate);
  CHECK(host.stopped.empty());
}

TEST_CASE("early_stopping refuses a monitor that nobody logs") {
  FakeHost host;
  host.set_metric("train_loss", 1);
  Component strict(host, "early_stopping", {{"monitor", "nope"}});
  CHECK_THROWS_WITH(strict.send(LEVIN_HOOK_TRAIN_EPOCH_END),
                    ContainsSubstring("'nope'") && ContainsSubstring("train_loss"));
  Component lenient(host, "early_stopping", {{"monitor", "nope"}, {"strict", false}});
  for (int i = 0; i < 2; ++i) CHECK_NOTHROW(lenient.send(LEVIN_HOOK_TRAIN_EPOCH_END));
  CHECK(host.messages.size() == 1);
}

TEST_CASE(
    "early_stopping warns of a default that is not logged only if validation runs, and follows the first loader") {
  FakeHost quiet, loud, several;
  quiet.numbers["validates"] = 0;
  for (FakeHost* host : {&quiet, &loud}) {
    Component stop(*host, "early_stopping", {{"patience", 1}});
    for (int i = 0; i < 2; ++i) CHECK_NOTHROW(stop.send(LEVIN_HOOK_TRAIN_EPOCH_END));
    CHECK_NOTHROW(stop.send(LEVIN_HOOK_TRAIN_END));
  }
  CHECK(quiet.messages.empty());
  CHECK(loud.messages.size() == 1);
  Component stop(several, "early_stopping", {{"patience", 1}});
  for (const double value : {1.0, 2.0}) {
    several.set_metric("val_loss/dataloader_idx_0", value);
    stop.send(LEVIN_HOOK_TRAIN_EPOCH_END);
  }
  CHECK(several.stopped.size() == 1);
  CHECK_THAT(several.messages.at(0).second, ContainsSubstring("--callback.early_stopping.monitor NAME"));
  FakeHost named;
  named.set_metric("val_loss/dataloader_idx_0", 1);
  Component strict(named, "early_stopping", {{"monitor", "val_loss"}});
  CHECK_THROWS_WITH(strict.send(LEVIN_HOOK_TRAIN_EPOCH_END),
                    ContainsSubstring("say --callback.early_stopping.monitor val_loss/dataloader_idx_0"));
}

TEST_CASE("early_stopping refuses a named monitor that is never logged, also where no check was due") {
  FakeHost host;
  Component stop(host, "early_stopping", {{"monitor", "nope"}, {"check_on_train_epoch_end", false}});
  stop.send(LEVIN_HOOK_SETUP);
  CHECK_NOTHROW(stop.send(LEVIN_HOOK_VALIDATION_END, Stage::validate));  // it may be logged at the end of the epoch
  CHECK_THROWS_WITH(stop.send(LEVIN_HOOK_TRAIN_EPOCH_END), ContainsSubstring("'nope'"));
  FakeHost without;
  without.numbers["validates"] = 0;
  Component never(without, "early_stopping", {{"monitor", "nope"}, {"check_on_train_epoch_end", false}});
  CHECK_NOTHROW(never.send(LEVIN_HOOK_TRAIN_EPOCH_END));
  CHECK_THROWS_WITH(never.send(LEVIN_HOOK_TRAIN_END), ContainsSubstring("'nope'"));
}

TEST_CASE("early_stopping stops again where it had stopped, unless its options have changed") {
  FakeHost host;
  Component first(host, "early_stopping", {{"patience", 1}});
  for (const double v : {1.0, 2.0}) check_at(host, first, v > 1 ? 1 : 0, v);
  REQUIRE(host.stopped.size() == 1);
  const auto state = first.save();
  for (const int64_t patience : {1, 2}) {
    FakeHost later;
    Component again(later, "early_stopping", {{"patience", patience}});
    again.load(state);
    again.send(LEVIN_HOOK_FIT_START);
    CHECK(later.stopped.size() == (patience == 1 ? 1 : 0));
  }
}

TEST_CASE("early_stopping goes on from its state") {
  FakeHost host;
  Component first(host, "early_stopping", {{"patience", 2}});
  check_at(host, first, 0, 1);
  check_at(host, first, 1, 2);
  Component second(host, "early_stopping", {{"patience", 2}});
  second.load(first.save());
  check_at(host, second, 2, 2);
  CHECK(host.stopped.size() == 1);
}

}  // namespace early_stopping_test
