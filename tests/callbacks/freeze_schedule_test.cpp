#include "callbacks/freeze_schedule/schedule.hpp"
#include "catch.hpp"
#include "levin/parameters.hpp"
#include "levin/testing.hpp"

namespace freeze_schedule_test {
using namespace levin::freeze_schedule;
using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

struct Model {
  Model() {
    for (const char* name : {"embed.weight", "features.0.weight", "features.0.bias", "head.weight"})
      host.params.push_back({name, host.tensor({1.0F}, {1}), LEVIN_PARAMETER, true});
    host.params.push_back({"features.mean", host.tensor({1.0F}, {1}), LEVIN_BUFFER, false});
  }
  // Returns a letter a parameter: F = frozen, T = trained.
  std::string in_epoch(Component& c, int64_t epoch, uint32_t hook = LEVIN_HOOK_TRAIN_EPOCH_START) {
    host.at(epoch, epoch);
    c.send(hook);
    std::string out;
    for (size_t i = 0; i < 4; ++i) out += host.params[i].requires_grad ? 'T' : 'F';
    return out;
  }
  FakeHost host;
};

}  // namespace

TEST_CASE("a pattern is a glob of parameters, a parameter or a module") {
  CHECK(levin::names_parameter("features", "features.0.weight"));
  CHECK(levin::names_parameter("features.0", "features.0.weight"));
  CHECK(levin::names_parameter("features.0.weight", "features.0.weight"));
  CHECK_FALSE(levin::names_parameter("feature", "features.0.weight"));
  CHECK_FALSE(levin::names_parameter("features.0.weight.", "features.0.weight"));
  CHECK(levin::names_parameter("*.bias", "a.b.bias"));
  CHECK_FALSE(levin::names_parameter("*.bias", "a.b.bias.x"));
  CHECK(levin::names_parameter("*b*s", "a.b.bias"));
  CHECK(levin::names_parameter("?.b.*", "a.b.bias"));
  CHECK_FALSE(levin::names_parameter("", "a"));
  CHECK(levin::names_parameter("*", "a"));
}

TEST_CASE("parameters are frozen and unfrozen by epoch") {
  Model m;
  Component c(m.host, "freeze_schedule",
              {{"freeze", R"({"0": "embed", "3": ["*.bias"]})"}, {"unfreeze", R"({"2": "features", "10": "embed"})"}});
  c.send(LEVIN_HOOK_FIT_START);
  CHECK(m.in_epoch(c, 0) == "FFFT");
  CHECK(m.in_epoch(c, 1) == "FFFT");
  CHECK(m.in_epoch(c, 2) == "FTTT");
  CHECK(m.in_epoch(c, 3) == "FTFT");
  CHECK(m.in_epoch(c, 10) == "TTFT");
  c.send(LEVIN_HOOK_FIT_END);
  for (const auto& parameter : m.host.params) CHECK(parameter.requires_grad == (parameter.kind == LEVIN_PARAMETER));
}

TEST_CASE("a resumed fit freezes what the epoch says, also within the epoch") {
  for (const uint32_t hook : {LEVIN_HOOK_TRAIN_START, LEVIN_HOOK_TRAIN_EPOCH_START}) {
    Model m;
    Component c(m.host, "freeze_schedule", {{"freeze", R"({"0": "embed"})"}, {"unfreeze", R"({"2": "features"})"}});
    c.send(LEVIN_HOOK_FIT_START);
    CHECK(m.in_epoch(c, 5, hook) == "FTTT");
  }
}

TEST_CASE("a schedule that cannot be followed is refused") {
  Model m;
  const auto refusal = [&](const char* option, const char* value) {
    try {
      Component c(m.host, "freeze_schedule", {{option, value}});
      c.send(LEVIN_HOOK_FIT_START);
    } catch (const levin::Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK_THAT(refusal("freeze", R"({"1": "tail"})"),
             ContainsSubstring("no parameter 'tail'; its first are: embed.weight, "));
  CHECK_THAT(refusal("freeze", R"({"1": "features.mean"})"), ContainsSubstring("no parameter 'features.mean'"));
  CHECK_THAT(refusal("freeze", R"({"one": "head"})"), ContainsSubstring("an epoch is an int >= 0, not one"));
  CHECK_THAT(refusal("unfreeze", R"({"1": 3})"), ContainsSubstring("unfreeze is {\"1\": 3}"));
  CHECK_THAT(refusal("unfreeze", R"({"1": []})"), ContainsSubstring("by a text or a list of texts"));
  CHECK(refusal("freeze", "{}").empty());
  CHECK(m.host.messages.back().second == "freeze and unfreeze are empty: nothing is frozen");
  m.host.params[3].requires_grad = false;
  CHECK_THAT(refusal("unfreeze", R"({"1": "head"})"), ContainsSubstring("'head.weight' is frozen by the model"));
  CHECK(refusal("unfreeze", R"({"1": "features"})").empty());
}

}  // namespace freeze_schedule_test
