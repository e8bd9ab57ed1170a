#include "host/commands/schema_diff.hpp"

#include "catch.hpp"

using namespace levin::core;

namespace {

OptionSchema option(const std::string& name, uint32_t type = LEVIN_T_INT, const nlohmann::json& deflt = 1) {
  OptionSchema o;
  o.name = name;
  o.type = type;
  o.deflt = deflt;
  return o;
}

PluginSchema plugin(std::vector<OptionSchema> options) {
  ComponentSchema model;
  model.kind = LEVIN_KIND_MODEL;
  model.id = "net";
  model.version = "1.0";
  model.options = std::move(options);
  PluginSchema out;
  out.id = "org.me.net";
  out.version = "1.0";
  out.abi_minor = 3;
  out.torch = "none";
  out.components = {model};
  return out;
}

// Checks that this is the only change, and whether it breaks saved runs.
void check_change(const PluginSchema& before, const PluginSchema& after, const std::string& what, bool breaks) {
  const auto changes = schema_changes(before, after);
  INFO(what);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].what == what);
  CHECK(changes[0].breaks == breaks);
}

}  // namespace

TEST_CASE("changes of options break saved runs where a saved value is no longer valid") {
  OptionSchema bounded = option("width"), wider = bounded, nullable = bounded, required = option("depth");
  bounded.min = 1, bounded.max = 8, wider.min = 1, wider.max = 16;
  nullable.flags = LEVIN_OPT_NULLABLE;
  required.flags = LEVIN_OPT_REQUIRED;
  required.deflt = nullptr;
  const OptionSchema width = option("width");
  check_change(plugin({width}), plugin({}), "option 'width' is gone", true);
  check_change(plugin({}), plugin({width}), "option 'width' is new: int, default 1", false);
  check_change(plugin({}), plugin({required}), "option 'depth' is new: int, no default", true);
  check_change(plugin({width}), plugin({option("width", LEVIN_T_INT, 2)}), "option 'width': default 1 -> default 2",
               false);
  check_change(plugin({width}), plugin({option("width", LEVIN_T_STRING, 1)}), "option 'width': int -> string", true);
  check_change(plugin({width}), plugin({option("width", LEVIN_T_FLOAT, 1)}), "option 'width': int -> float", false);
  CHECK(schema_changes(plugin({bounded}), plugin({wider}))[0].breaks == false);
  CHECK(schema_changes(plugin({wider}), plugin({bounded}))[0].breaks == true);
  CHECK(schema_changes(plugin({width}), plugin({nullable}))[0].breaks == false);
  CHECK(schema_changes(plugin({nullable}), plugin({width}))[0].breaks == true);
}

TEST_CASE("a component that goes breaks saved runs, unless another has its id as an alias") {
  const PluginSchema before = plugin({});
  PluginSchema renamed = before, other = before;
  renamed.components[0].id = other.components[0].id = "network";
  renamed.components[0].aliases = {"net"};
  const auto gone = schema_changes(before, other);
  REQUIRE(gone.size() == 2);
  CHECK((gone[0].what == "model net is gone" && gone[0].breaks));
  CHECK((gone[1].what == "model network is new" && !gone[1].breaks));
  for (const Change& change : schema_changes(before, renamed)) CHECK_FALSE(change.breaks);
}

TEST_CASE("hooks, versions, the ABI and LibTorch are told") {
  const PluginSchema before = plugin({});
  PluginSchema after = before;
  after.version = "2.0", after.abi_minor = 4, after.torch = "2.6";
  after.components[0].hooks[0] = LEVIN_BIT(LEVIN_HOOK_FIT_START);
  std::string told;
  for (const Change& change : schema_changes(before, after)) told += change.where + ": " + change.what + "\n";
  CHECK(told ==
        "plugin: version 1.0 -> 2.0\nplugin: ABI 0.3 -> 0.4\nplugin: LibTorch none -> 2.6\n"
        "model net: hooks new: on_fit_start\n");
  CHECK(schema_changes(before, before).empty());
}
