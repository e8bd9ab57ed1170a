// Every option of a run with its dotted name and type, as passed to loggers.
#include "core/components/arguments.hpp"

#include <map>

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("options become typed parameters with dotted names, and secrets are left out") {
  RunConfig config;
  config.model = {"net", "/libnet.so", "net", {{"lr", 0.1}, {"layers", {1, 2}}, {"token", "hush"}, {"name", "x"}}};
  config.data = ComponentConfig{"rows", "/librows.so", "rows", {{"n", 3}}};
  config.loader = {{"shuffle", true}};
  config.callbacks = {{"stop", "/libstop.so", "early", {{"monitor", nullptr}}}};
  config.loggers = {{"wire", "/libwire.so", "wire", {{"key", "hush"}}}};
  config.trainer = {{"max_epochs", 7}};
  config.secrets = {"model.token", "logger.wire.key"};
  const HyperParameters parameters(config);
  const levin_args args = parameters.args();
  std::map<std::string, levin_value> all;
  for (uint32_t i = 0; i < args.n; ++i) all[parameters.names()[i]] = args.values[i];
  REQUIRE(all.size() == 7);
  CHECK(all["model.lr"].type == LEVIN_T_FLOAT);
  CHECK(all["model.lr"].v.f == 0.1);
  CHECK(all["model.layers"].type == LEVIN_T_JSON);
  CHECK(std::string(all["model.layers"].v.s) == "[1,2]");
  CHECK(std::string(all["model.name"].v.s) == "x");
  CHECK(all["data.n"].v.i == 3);
  CHECK(all["data.shuffle"].type == LEVIN_T_BOOL);
  CHECK(all["callback.stop.monitor"].type == LEVIN_T_NONE);
  CHECK(all["trainer.max_epochs"].type == LEVIN_T_INT);
  CHECK(std::string(args.json).find("hush") == std::string::npos);
  CHECK(nlohmann::json::parse(args.json).at("model.lr") == 0.1);
  CHECK(HyperParameters().args().n == 0);
}
