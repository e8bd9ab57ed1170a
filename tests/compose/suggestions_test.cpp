#include "host/compose/suggestions.hpp"

#include "catch.hpp"

using namespace levin::core;
using Names = std::vector<std::string>;

TEST_CASE("a name of other tools stands for the one that there is") {
  const Names known = {"lr", "batch_size", "max_epochs", "max_steps", "seed_everything"};
  CHECK(meant_options("learning_rate", known) == Names{"lr"});
  CHECK(meant_options("Learning-Rate", known) == Names{"lr"});
  CHECK(meant_options("epochs", known) == Names{"max_epochs"});
  CHECK(meant_options("epohcs", known) == Names{"max_epochs"});
  CHECK(meant_options("seed", known) == Names{"seed_everything"});
  CHECK(meant_options("lr", {"learning_rate"}) == Names{"learning_rate"});
}

TEST_CASE("a near name is meant, and a far one is not") {
  CHECK(meant_options("max_epoch", {"max_epochs"}) == Names{"max_epochs"});
  CHECK(meant_options("frobnicate", {"max_epochs"}).empty());
  CHECK(meant_options("learning_rate", {"max_epochs"}).empty());
}

TEST_CASE("commands of other tools stand for one command or for two") {
  const Names known = {"fit", "validate", "test", "predict"};
  CHECK(meant_commands("train", known) == Names{"fit"});
  CHECK(meant_commands("evaluate", known) == Names{"validate", "test"});
  CHECK(meant_commands("predcit", known) == Names{"predict"});
}
