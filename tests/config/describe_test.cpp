// Live tables that are older, newer or wrong.
#include <cstring>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/config/schema.hpp"

using namespace levin::core;

namespace {

levin_status create(const levin_host*, const levin_create*, void**, const levin_object**) { return LEVIN_OK; }

struct Tables {
  levin_option options[2] = {};
  levin_flag claim{"enable_it", nullptr, "switch"};
  levin_component component{};
  const levin_component* list[1] = {&component};
  levin_torch_abi torch{};
  levin_plugin plugin{};

  Tables() {
    options[0] = {"lr", LEVIN_T_FLOAT, 0, "0.1", "step", 1, 0, nullptr, nullptr, nullptr};
    options[1] = {"n", LEVIN_T_INT, LEVIN_OPT_REQUIRED, nullptr, nullptr, 1, 0, nullptr, nullptr, nullptr};
    component.size = sizeof component;
    component.kind = LEVIN_KIND_MODEL;
    component.id = "net";
    component.options = options;
    component.n_options = 2;
    component.option_size = sizeof(levin_option);
    component.hooks[0] = LEVIN_BIT(LEVIN_HOOK_FIT_START);
    component.flags = LEVIN_F_MANUAL;
    component.create = create;
    component.claims = &claim;
    component.n_claims = 1;
    component.claim_size = sizeof(levin_flag);
    component.defaults = "{\"trainer.max_epochs\": 3}";
    torch.size = sizeof torch;
    torch.torch_version = 2006000;
    plugin.size = sizeof plugin;
    plugin.abi_minor = 1;
    plugin.id = "p";
    plugin.components = list;
    plugin.n_components = 1;
  }
  Tables(const Tables&) = delete;
};

}  // namespace

TEST_CASE("live tables are described") {
  Tables t;
  t.plugin.torch = &t.torch;
  const PluginSchema schema = describe(t.plugin);
  CHECK(schema.torch == "2.6");
  REQUIRE(schema.components.size() == 1);
  const auto& c = schema.components[0];
  CHECK(c.id == "net");
  CHECK(c.options.at(0).deflt == 0.1);
  CHECK(c.options.at(1).name == "n");
  CHECK(c.claims.at(0).name == "enable_it");
  CHECK(c.defaults == nlohmann::json({{"trainer.max_epochs", 3}}));
}

TEST_CASE("a component of an older plugin, with a shorter table, has no claims and defaults") {
  Tables t;
  t.component.size = offsetof(levin_component, claims);
  const auto schema = describe(t.plugin);
  CHECK(schema.components[0].claims.empty());
  CHECK(schema.components[0].defaults.empty());
  CHECK(schema.components[0].options.size() == 2);
}

TEST_CASE("options of a newer plugin, with longer entries, are read by its stride") {
  struct LongOption {
    levin_option known;
    uint64_t unknown;
  };
  Tables t;
  LongOption options[2] = {{t.options[0], 7}, {t.options[1], 7}};
  t.component.options = &options[0].known;
  t.component.option_size = sizeof(LongOption);
  CHECK(describe(t.plugin).components[0].options.at(1).name == "n");
}

TEST_CASE("the default of a text may be written with quotes or without") {
  const char* const choices[] = {"18", "null", "adam w", nullptr};
  const auto described = [&](uint32_t type, const char* deflt) {
    Tables t;
    t.options[0] = {"x", type, LEVIN_OPT_NULLABLE, deflt, nullptr, 1, 0, choices, nullptr, nullptr};
    return describe(t.plugin).components[0].options[0].deflt;
  };
  for (const uint32_t type : {LEVIN_T_STRING, LEVIN_T_CHOICE}) {
    CHECK(described(type, "\"adam w\"") == "adam w");
    CHECK(described(type, "adam w") == "adam w");
    CHECK(described(type, "18") == "18");
    CHECK(described(type, "null") == nullptr);
    CHECK(described(type, "\"null\"") == "null");
  }
  CHECK(described(LEVIN_T_STRING, "") == "");
  CHECK(described(LEVIN_T_STRING, "1e5") == "1e5");
  CHECK(described(LEVIN_T_PATH, "data/x") == "data/x");
  CHECK_THROWS_WITH(described(LEVIN_T_STRING, "\"adam"),
                    ContainsSubstring("the default of net.x is \"adam, and has to be"));
  CHECK_THROWS_WITH(described(LEVIN_T_JSON, "auto"), ContainsSubstring("a text in it has quotes, \"\\\"auto\\\"\""));
}

TEST_CASE("former names, deprecations and the oldest state are read, where the tables reach so far") {
  static const char* const former[] = {"rate", "eta", nullptr};
  Tables t;
  t.options[0].aliases = former;
  t.options[0].deprecated = "use n";
  t.component.version = "3.1";
  t.component.state_since = "3";
  const ComponentSchema whole = describe(t.plugin).components[0];
  CHECK(whole.options.at(0).aliases == std::vector<std::string>{"rate", "eta"});
  CHECK(whole.options.at(0).deprecated == "use n");
  CHECK(whole.options.at(1).aliases.empty());
  CHECK(whole.state_since == "3");
  t.component.size = offsetof(levin_component, state_since);
  t.component.option_size = offsetof(levin_option, aliases);
  t.component.n_options = 1;
  const ComponentSchema shorter = describe(t.plugin).components[0];
  CHECK(shorter.options.at(0).name == "lr");
  CHECK(shorter.options.at(0).aliases.empty());
  CHECK(shorter.options.at(0).deprecated.empty());
  CHECK(shorter.state_since.empty());
}

TEST_CASE("wrong tables are refused") {
  const auto refused = [](void (*spoil)(Tables&), const char* message) {
    Tables t;
    spoil(t);
    CHECK_THROWS_WITH(describe(t.plugin), ContainsSubstring(message));
  };
  refused([](Tables& t) { t.plugin.id = nullptr; }, "no id");
  refused([](Tables& t) { t.plugin.size = 8; }, "no id");
  refused([](Tables& t) { t.component.id = nullptr; }, "no id");
  refused([](Tables& t) { t.list[0] = nullptr; }, "no id");
  refused([](Tables& t) { t.component.option_size = 8; }, "wrong size");
  refused([](Tables& t) { t.component.n_options = 4000000000u; }, "wrong size");
  refused([](Tables& t) { t.component.claim_size = 0; }, "wrong size");
  refused([](Tables& t) { t.options[0].name = nullptr; }, "without a name");
  refused([](Tables& t) { t.options[0].deflt = "{"; }, "the default of net.lr");
  refused([](Tables& t) { t.options[0].deflt = nullptr; }, "the default of net.lr");
  refused([](Tables& t) { t.component.create = nullptr; }, "no create function");
  refused([](Tables& t) { t.component.defaults = "3"; }, "not a JSON object");
  refused([](Tables& t) { t.component.kind = 9; }, "unknown kind 9");
  refused([](Tables& t) { t.plugin.n_components = UINT64_MAX; }, "components");
}
