#include "core/abi/plugin_host.hpp"

#include <string>

#include "catch.hpp"
#include "core/abi/failure.hpp"

using namespace levin::core;

namespace {

struct Scene {
  ServiceTable services;
  PluginHost host{"plugin", services, [](int32_t, const std::string&) {}, false};
  // Returns the message for the user if the plugin fails with this text after a service failed with this reason.
  std::string told(const std::string& text, const std::string& reason) {
    failed_service(reason, LEVIN_E_INVALID);
    host.table()->fail(host.table(), LEVIN_E_INVALID, text.c_str());
    return plugin_failure();
  }
};

}  // namespace

TEST_CASE("a plugin can ask why the last service call failed") {
  Scene scene;
  const levin_host* host = scene.host.table();
  failed_service("no number 'x'", LEVIN_E_NOT_FOUND);
  CHECK(std::string(host->last_error(host)) == "no number 'x'");
  serve([] {});
  CHECK(std::string(host->last_error(host)).empty());
  scene.told("text", "reason");
  CHECK(std::string(host->last_error(host)).empty());
}

TEST_CASE("null pointers and impossible views are refused") {
  Scene scene;
  const levin_host* host = scene.host.table();
  levin_tensor* out = nullptr;
  double number = 0;
  int64_t shape[] = {2};
  levin_view view{};
  view.dtype = {LEVIN_FLOAT, 32, 1};
  view.device = {LEVIN_CPU, 0};
  view.ndim = 1;
  view.shape = shape;
  CHECK(host->tensor_from_view(host, nullptr, &out) < 0);
  CHECK(host->tensor_from_view(host, &view, &out) < 0);
  CHECK(std::string(host->last_error(host)) == "a view has no data");
  view.ndim = -1;
  CHECK(host->tensor_from_view(host, &view, &out) < 0);
  CHECK(host->tensor_item(host, nullptr, &number) < 0);
  CHECK(host->tensor_view(host, nullptr, &view) < 0);
  CHECK(std::string(host->last_error(host)) == "the handle of a tensor is null");
  CHECK(host->service(host, nullptr) == nullptr);
}

TEST_CASE("the reason of a service is told once, whether the plugin's text has it or not") {
  Scene scene;
  CHECK(scene.told("lr", "no group 1") == "lr: no group 1");
  CHECK(scene.told("lr: no group 1", "no group 1") == "lr: no group 1");
  CHECK(scene.told("no group 1", "no group 1") == "no group 1");
  CHECK(scene.told("cannot go on (no group 1), so it ends", "no group 1") == "cannot go on (no group 1), so it ends");
  CHECK(scene.told("a.ckpt", "a.ckpt is damaged") == "a.ckpt is damaged");
  CHECK(scene.told("a.ckpt is damaged", "a.ckpt is damaged") == "a.ckpt is damaged");
  CHECK(scene.told("", "no group 1") == "no group 1");
  CHECK(scene.told("its own text", "") == "its own text");
}

TEST_CASE("a long reason is neither cut nor repeated") {
  Scene scene;
  const std::string reason(1000, 'r');
  CHECK(scene.told("lr", reason) == "lr: " + reason);
  CHECK(scene.told("lr: " + reason, reason) == "lr: " + reason);
  CHECK(scene.told(reason, reason) == reason);
}
