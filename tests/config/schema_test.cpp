#include "core/config/schema.hpp"

#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "sdk/include/levin/tasks.h"

using namespace levin::core;
using nlohmann::json;

namespace {

PluginSchema sample() {
  OptionSchema rate;
  rate.name = "lr";
  rate.type = LEVIN_T_FLOAT;
  rate.deflt = 0.1;
  rate.help = "step";
  rate.min = 0;
  rate.max = std::numeric_limits<double>::infinity();
  OptionSchema mode;
  mode.name = "mode";
  mode.type = LEVIN_T_CHOICE;
  mode.flags = LEVIN_OPT_TUNABLE;
  mode.deflt = "min";
  mode.choices = {"min", "max"};
  ComponentSchema c;
  c.kind = LEVIN_KIND_CALLBACK;
  c.id = "keeper";
  c.version = "2.0";
  c.summary = "keeps";
  c.aliases = {"saver"};
  rate.aliases = {"rate", "eta"};
  mode.deprecated = "use something else";
  c.state_since = "1.5";
  c.options = {rate, mode};
  c.hooks = {LEVIN_BIT(LEVIN_HOOK_FIT_START) | LEVIN_BIT(60), LEVIN_BIT(LEVIN_HOOK_EPOCH_END)};
  c.flags = LEVIN_F_LAST;
  c.claims = {{"max_rate", "lr", "the rate"}, {"enable_keeper", "", "keep"}};
  c.defaults = {{"trainer.max_epochs", 12}};
  return {"org.sample", "1.0", "MIT", "https://example.org", 0, 1, "1.13", {c}};
}

json sample_json() { return to_json(sample()); }

}  // namespace

TEST_CASE("a description survives being written and read") {
  const json j = sample_json();
  const PluginSchema back = plugin_schema_from_json(json::parse(j.dump()));
  CHECK(to_json(back) == j);
  CHECK(back.components[0].options[0].min == 0);
  CHECK(back.components[0].options[0].max == std::numeric_limits<double>::infinity());
  CHECK(back.components[0].options[1].min > back.components[0].options[1].max);
  CHECK(back.components[0].hooks == sample().components[0].hooks);
  CHECK(back.components[0].options[0].aliases == std::vector<std::string>{"rate", "eta"});
  CHECK(back.components[0].options[1].deprecated == "use something else");
  CHECK(back.components[0].state_since == "1.5");
  CHECK(j.at("components")[0].at("hooks") == json({"on_fit_start", 60, "on_epoch_end"}));
}

TEST_CASE("malformed descriptions are refused") {
  struct Row {
    const char* path;
    json value;
    const char* message;
  };
  const std::vector<Row> rows = {
      {"/levin", 2, "not of format 1"},
      {"/id", nullptr, "malformed"},
      {"/id", "", "no id"},
      {"/levin", 1e40, "format 1"},
      {"/abi", {1e40, 0}, "abi is 1e+40"},
      {"/components/0/flags", -1, "flags is -1"},
      {"/abi", json::array(), "malformed"},
      {"/components/0/kind", "sorcerer", "unknown kind 'sorcerer'"},
      {"/components/0/id", "a b", "'a b' is not a name"},
      {"/components/0/id", "a.b", "'a.b' is not a name"},
      {"/components/0/hooks/0", "on_monday", "unknown hook"},
      {"/components/0/hooks/0", 200, "unknown hook"},
      {"/components/0/options/0/type", "colour", "unknown option type"},
      {"/components/0/options/0/type", "tensor", "which options cannot have"},
      {"/components/0/options/0/default", "fast", "the default of keeper.lr"},
      {"/components/0/options/0/default", -1, "the default of keeper.lr"},
      {"/components/0/options/1/name", "lr", "declared twice"},
      {"/components/0/options/1/choices", json::array(), "has no choices"},
      {"/components/0/options/0/aliases/0", "a b", "'a b' is not a name"},
      {"/components/0/options/0/aliases/0", "mode",
       "the former name 'mode' of keeper.lr is the name of another option"},
      {"/components/0/options/0/aliases/0", "eta", "or given twice"},
      {"/components/0/state_since", "2.0.1", "which is newer than its own 2.0"},
      {"/components/0/claims/0/option", "speed", "which it does not have"},
      {"/components/0/claims/0/name", "enable_keeper", "twice"},
      {"/components/0/defaults", 3, "not a JSON object"},
  };
  for (const auto& row : rows) {
    INFO(row.path << " = " << row.value);
    json j = sample_json();
    j[json::json_pointer(row.path)] = row.value;
    CHECK_THROWS_WITH(plugin_schema_from_json(j), ContainsSubstring(row.message));
  }
  json twice = sample_json();
  twice["components"].push_back(twice["components"][0]);
  CHECK_THROWS_WITH(plugin_schema_from_json(twice), ContainsSubstring("two callback components 'keeper'"));
}

TEST_CASE("any single value of a description may be garbage without more than an error") {
  const json j = sample_json();
  const json flat = j.flatten();
  for (const auto& [path, value] : flat.items()) {
    for (const json& garbage :
         {json(nullptr), json(-1), json(1e300), json("\x01"), json::array(), json::object(), json(true)}) {
      json broken = j;
      broken[json::json_pointer(path)] = garbage;
      try {
        plugin_schema_from_json(broken);
      } catch (const Error& e) {
        CHECK(e.kind() == ErrorKind::plugin);
      }
    }
  }
}

TEST_CASE("hooks, kinds and types have names") {
  CHECK(std::string(hook_name(LEVIN_HOOK_SETUP)) == "setup");
  CHECK(std::string(hook_name(LEVIN_HOOK_TRAIN_BATCH_END)) == "on_train_batch_end");
  CHECK(std::string(hook_name(LEVIN_HOOK_CHECKPOINT_DURABLE)) == "on_checkpoint_durable");
  CHECK(std::string(hook_name(LEVIN_HOOK_CONFIGURE_MODEL)) == "configure_model");
  CHECK(std::string(hook_name(LEVIN_HOOK_PRETRAIN_ROUTINE_END)) == "on_pretrain_routine_end");
  CHECK(hook_name(LEVIN_HOOK_CALLBACK_COUNT) == nullptr);
  CHECK(hook_name(71) == nullptr);  // a hook of ABI 0.1
  CHECK(hook_name(LEVIN_HOOK_COUNT) == nullptr);
  CHECK(hook_name(4000000000u) == nullptr);
  CHECK(std::string(kind_name(LEVIN_KIND_LOGGER)) == "logger");
  CHECK(std::string(kind_name(LEVIN_KIND_TASKS)) == "tasks");
  CHECK(std::string(kind_name(77)) == "unknown");
  CHECK(std::string(type_name(LEVIN_T_INTS)) == "ints");
}

TEST_CASE("every flag of the ABI has a name, and no two have the same") {
  std::ifstream header(LEVIN_TEST_ABI_HEADER);
  std::set<std::string> names;
  size_t flags = 0;
  for (std::string line; std::getline(header, line);) {
    std::string define, macro, value;
    if (!starts_with(line, "#define LEVIN_F_") || !(std::istringstream(line) >> define >> macro >> value)) continue;
    INFO(macro);
    const char* name = flag_name(std::stoull(value));
    REQUIRE(name != nullptr);
    names.insert(name);
    ++flags;
  }
  CHECK(flags >= 9);
  CHECK(names.size() == flags);
  CHECK(flag_name(uint64_t{1} << 63) == nullptr);
}
