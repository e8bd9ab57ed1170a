#include "catch.hpp"
#include "levin/testing.hpp"

namespace on_exception_checkpoint_test {
using levin::testing::Component;
using levin::testing::FakeHost;

TEST_CASE("on_exception_checkpoint saves when a fit fails, and only then") {
  FakeHost host;
  host.writes_files = false;
  host.texts["run_dir"] = "/tmp";
  Component c(host, "on_exception_checkpoint", {{"filename", "broken"}});
  c.send(LEVIN_HOOK_EXCEPTION);
  CHECK(host.saved.empty());
  c.send(LEVIN_HOOK_FIT_START);
  c.send(LEVIN_HOOK_EXCEPTION);
  REQUIRE(host.saved.size() == 1);
  CHECK(host.saved[0].path == "/tmp/checkpoints/broken.ckpt");
  CHECK_FALSE(host.saved[0].weights_only);
  c.send(LEVIN_HOOK_FIT_END);
  c.send(LEVIN_HOOK_EXCEPTION);
  CHECK(host.saved.size() == 1);
  CHECK(host.removed.empty());
}

}  // namespace on_exception_checkpoint_test
