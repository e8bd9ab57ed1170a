// What --explain says of an option.
#include "host/compose/option_sources.hpp"

#include "catch.hpp"
#include "fake_source.hpp"

using namespace levin::core;

namespace {

std::string explained(std::vector<Setting> settings, const std::string& option) {
  FakeSource source;
  std::string out;
  for (const nlohmann::json& row : explain_option(built(source, std::move(settings)), option))
    out += explanation_text(row);
  return out;
}

}  // namespace

TEST_CASE("an option is explained by all of its sources, the strongest first") {
  const auto file = from_file("{\"trainer\": {\"max_epochs\": 10}}");
  CHECK(explained({file[0],
                   {"trainer.max_epochs", 7, "LEVIN_TRAINER_MAX_EPOCHS", rank_environment},
                   said("trainer.max_epochs", 5)},
                  "max_epochs") ==
        "trainer.max_epochs is 5, from --trainer.max_epochs\n"
        "  overrides 7, from LEVIN_TRAINER_MAX_EPOCHS\n"
        "  overrides 10, from run.json:1:14\n"
        "  overrides null, the default\n");
  CHECK(explained({}, "--trainer.max_epochs") == "trainer.max_epochs is null, the default\n");
  CHECK(explained({}, "callback.stopper.patience") ==
        "callback.stopper.patience is 5, from default.json:2:28\n  overrides 3, the default\n");
  CHECK(explained({said("model", "coach")}, "data.batch_size") ==
        "data.batch_size is 64, recommended by coach\n  overrides 32, the default\n");
}

TEST_CASE("a short name stands for each option that has it") {
  const std::string both = explained({}, "lr");
  CHECK_THAT(both,
             ContainsSubstring("data.lr is 1.0, the default") && ContainsSubstring("model.lr is 0.1, the default"));
  CHECK_THAT(explained({}, "patience"), ContainsSubstring("callback.stopper.patience is 5"));
}

TEST_CASE("values that other options or components make void are told") {
  CHECK_THAT(explained({said("trainer.fast_dev_run", true)}, "max_epochs"), ContainsSubstring("the run uses 1\n"));
  auto settings = from_file("{\"model\": {\"component\": \"coach\", \"lr\": 3}}");
  settings.push_back(said("model.lr", 0.5));
  CHECK_THAT(explained(settings, "model.lr"),
             ContainsSubstring("model.lr is 0.5, from --model.lr\n") &&
                 ContainsSubstring("not used: 3, from run.json:1:34, which is for another component"));
}

TEST_CASE("a component is explained like an option") {
  CHECK_THAT(explained(from_file("{\"model\": \"coach\"}"), "model"),
             ContainsSubstring("model is net (/fake/net.so), from --model\n  overrides 'coach', from run.json:1:2"));
  CHECK_THAT(explained({said("callback.stopper", false)}, "callback.stopper"), ContainsSubstring("is off: "));
}

TEST_CASE("a secret is not shown") {
  const std::string text = explained({said("model.token", "hunter2")}, "token");
  CHECK_THAT(text, ContainsSubstring("model.token is a secret, from --model.token") && !ContainsSubstring("hunter2"));
}

TEST_CASE("an option that the run does not have is refused with the nearest name") {
  CHECK_THROWS_WITH(explained({}, "max_epoch"),
                    ContainsSubstring("--explain max_epoch: the run has no such option; did you mean 'max_epochs'?"));
  CHECK_THROWS_WITH(explained({}, "trainer.max_epoch"), ContainsSubstring("did you mean 'trainer.max_epochs'?"));
  CHECK_THROWS_WITH(explained({}, ""), ContainsSubstring("the run has no such option"));
}
