#include "core/plugin/library.hpp"

#include "catch.hpp"
#include "core/plugin/checks/elf_symbols.hpp"
#include "core/plugin/loader.hpp"
#include "tests/plugin/fixture.hpp"

namespace symbol_conflicts_test {
using namespace levin::core;
namespace fs = std::filesystem;

namespace {

TestHosts hosts;

fs::path hand_built(const std::string& name) { return fs::path(LEVIN_TEST_HAND_BUILT) / ("lib" + name + ".so"); }

LoadedPlugin load(const std::string& name) { return load_plugin(hand_built(name), hosts, {false, test_probe()}); }

// Returns the answer of `create`, with the plugin's only option set to 7.
std::string answer_of(const LoadedPlugin& plugin, const std::string& id) {
  const levin_value seven = {LEVIN_T_INT, 0, {7}};
  const levin_args args = {sizeof args, 1, &seven, "{}"};
  const levin_create in = {sizeof in, LEVIN_STAGE_FIT, &args, nullptr, id.c_str()};
  void* self = nullptr;
  const levin_object* table = nullptr;
  const levin_component* component = plugin.component(LEVIN_KIND_CALLBACK, id);
  REQUIRE(component);
  CHECK(component->create(plugin.host, &in, &self, &table) == LEVIN_E_STATE);
  return hosts.last_failure(*plugin.host);
}

}  // namespace

TEST_CASE("the scope of a mangled name is found") {
  const struct {
    const char *symbol, *scope;
  } rows[] = {{"_ZN5levin6SharedIiE5callsE", "levin"},
              {"_ZZN5levin6detail5tableI4MineEERivE1n", "levin"},
              {"_ZGVZN5levin6detail5tableI4MineEERivE1n", "levin"},
              {"_ZZNK5levin3Row4nameEvE4text", "levin"},
              {"_ZN4Mine7optionsE", "Mine"},
              {"_ZZ4mainE1n", "main"},
              {"_ZNSt19_Sp_make_shared_tag5_S_tiEvE5__tag", "std"},
              {"_ZZNSt19_Sp_make_shared_tag5_S_tiEvE5__tag", "std"},
              {"_ZN3c106detail5thingE", "c10"},
              {"_Z", ""},
              {"_ZN", ""},
              {"_ZN999999999999999999999999x", ""},
              {"levin", ""},
              {"", ""}};
  for (const auto& row : rows) {
    INFO(row.symbol);
    CHECK(outermost_scope(row.symbol) == row.scope);
  }
}

TEST_CASE("a plugin that exports the SDK's symbols is refused by their name") {
  CHECK_THAT(refusal([] { load("older_sdk"); }),
             ContainsSubstring("libolder_sdk.so: exports the SDK's levin::Shared<int>::calls") &&
                 ContainsSubstring("-fvisibility=hidden") && ContainsSubstring("(P6)"));
}

TEST_CASE(
    "the SDK's symbols are hidden whatever the flags, and a second plugin with a symbol of the first is refused") {
  const LoadedPlugin alpha = load("alpha");
  CHECK(answer_of(alpha, "alpha") == "alpha refuses");
  CHECK_THAT(refusal([] { load("beta"); }),
             ContainsSubstring("libbeta.so: exports Mine::options (STB_GNU_UNIQUE), as does " + alpha.path.string()) &&
                 ContainsSubstring("-fvisibility=hidden") && ContainsSubstring("(P9)"));
  const LoadedPlugin hidden = load("hidden_beta");
  CHECK(hidden.schema.components[0].options[0].name == "hidden_beta");
  CHECK(answer_of(hidden, "hidden_beta") == "hidden_beta refuses");
}

TEST_CASE("a library that is loaded already in place of the plugin's own is told with both paths") {
  CHECK(load("brings_first").warnings.empty());
  const auto warnings = load("brings_second").warnings;
  REQUIRE(warnings.size() == 1);
  const fs::path folder = fs::canonical(LEVIN_TEST_HAND_BUILT);
  CHECK_THAT(warnings[0], ContainsSubstring("brings " + (folder / "second/liblevin_thing.so.1").string() + ", but ") &&
                              ContainsSubstring("first/liblevin_thing.so.1 is already loaded"));
}

}  // namespace symbol_conflicts_test
