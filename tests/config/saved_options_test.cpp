#include "core/config/run_config.hpp"

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("a run that goes on has the options that it saved, and its secrets") {
  RunConfig config;
  config.model = {"net", "/libnet.so", "net", {{"depth", 1}, {"token", "secret"}}};
  config.trainer = {{"seed_everything", nullptr}};
  config.verbosity = 1;
  config.callbacks = {{"a", "/liba.so", "a", {{"x", 1}}}};
  RunConfig saved = config;
  saved.trainer["seed_everything"] = 4711;
  saved.model.options = {{"depth", 3}};
  saved.callbacks = {{"a", "/libb.so", "another", {{"x", 2}}}};
  saved.verbosity = 0;
  take_saved_options(config, saved);
  CHECK(config.trainer.at("seed_everything") == 4711);
  CHECK(config.model.options == nlohmann::json{{"depth", 3}, {"token", "secret"}});
  CHECK(config.callbacks.front().options.at("x") == 1);
  CHECK(config.verbosity == 1);
}
