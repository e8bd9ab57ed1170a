#include "catch.hpp"
#include "levin/testing.hpp"
#include "temp_folder.hpp"

namespace shell_command_test {
using levin::testing::Component;
using levin::testing::FakeHost;

TEST_CASE("shell_command runs at its hook and tells the command where the run is") {
  const TempFolder folder;
  const auto file = folder / "out.txt";
  FakeHost host;
  host.set_metric("val_loss", 0.5);
  Component c(host, "shell_command",
              {{"command", "echo $LEVIN_HOOK $LEVIN_EPOCH $LEVIN_STEP $LEVIN_METRICS >> " + file.string()},
               {"hook", "on_train_epoch_end"},
               {"every_n", 2}});
  for (int64_t epoch = 0; epoch < 4; ++epoch) {
    host.at(epoch, 10 * (epoch + 1));
    c.send(LEVIN_HOOK_TRAIN_EPOCH_END);
    c.send(LEVIN_HOOK_FIT_END);
  }
  CHECK(bytes_of(file) == "on_train_epoch_end 1 20 {\"val_loss\": 0.5}\non_train_epoch_end 3 40 {\"val_loss\": 0.5}\n");
}

TEST_CASE("shell_command takes every hook of callbacks") {
  const TempFolder folder;
  const auto file = folder / "out.txt";
#define LEVIN_NAMED_HOOK(NAME, bit, member) {#member, bit},
  const std::vector<std::pair<std::string, uint32_t>> hooks = {LEVIN_FOR_EACH_CALLBACK_HOOK(LEVIN_NAMED_HOOK)};
#undef LEVIN_NAMED_HOOK
  CHECK(hooks.size() == LEVIN_HOOK_CALLBACK_COUNT);
  for (const auto& [name, hook] : hooks) {
    INFO(name);
    std::filesystem::remove(file);
    FakeHost host;
    Component c(host, "shell_command", {{"command", "echo $LEVIN_HOOK > " + file.string()}, {"hook", name}});
    c.send(hook);
    CHECK(bytes_of(file) == name + "\n");
  }
}

TEST_CASE("a failing command is a warning, or with strict an error") {
  FakeHost host;
  Component lenient(host, "shell_command", {{"command", "exit 3"}});
  lenient.send(LEVIN_HOOK_FIT_END);
  REQUIRE(host.messages.size() == 1);
  CHECK_THAT(host.messages[0].second, ContainsSubstring("code 3"));
  Component strict(host, "shell_command", {{"command", "exit 3"}, {"strict", true}});
  CHECK_THROWS_WITH(strict.send(LEVIN_HOOK_FIT_END), ContainsSubstring("exit 3"));
}

TEST_CASE("of several processes the first one alone runs the command") {
  const TempFolder folder;
  const auto file = folder / "out.txt";
  for (const uint32_t rank : {1u, 0u}) {
    CHECK_FALSE(std::filesystem::exists(file));
    levin::testing::FakeHost host;
    host.world_size = 2;
    host.rank = rank;
    levin::testing::Component callback(host, "shell_command", {{"command", "touch " + file.string()}});
    callback.send(LEVIN_HOOK_FIT_END);
  }
  CHECK(std::filesystem::exists(file));
}

}  // namespace shell_command_test
