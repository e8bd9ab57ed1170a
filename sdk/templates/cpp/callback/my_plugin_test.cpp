#include <levin/testing.hpp>

#include <cstdio>

#define CHECK(condition) \
  if (!(condition)) return std::printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition), 1

int main() {
  levin::testing::FakeHost host;
  levin::testing::Component callback(host, "my_plugin", {{"limit", 0}});
  callback.send(LEVIN_HOOK_TRAIN_EPOCH_START);
  callback.send_batch(LEVIN_HOOK_TRAIN_BATCH_START, 0, 1);
  callback.send_batch(LEVIN_HOOK_TRAIN_BATCH_END, 0, 1);
  CHECK(host.messages.size() == 1);  // every batch takes longer than 0 s
  callback.send(LEVIN_HOOK_TRAIN_EPOCH_END);
  CHECK(host.logged.size() == 1);
  CHECK(host.logged[0].first == "slowest_batch");
}
