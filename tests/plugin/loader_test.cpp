#include "core/plugin/loader.hpp"

#include <sys/stat.h>

#include "catch.hpp"
#include "core/base/json.hpp"
#include "core/plugin/child.hpp"
#include "core/plugin/library.hpp"
#include "tests/plugin/fixture.hpp"

namespace loader_test {
using namespace levin::core;
namespace fs = std::filesystem;

namespace {

LoadOptions options(bool trust = false) { return {trust, test_probe()}; }

std::string refused(const fs::path& path, bool trust = false) {
  TestHosts hosts;
  return refusal([&] { load_plugin(path, hosts, options(trust)); });
}

}  // namespace

TEST_CASE("a good plugin is loaded, described and given its host") {
  static TestHosts hosts;
  const LoadedPlugin plugin = load_plugin(built("good"), hosts, options());
  CHECK(plugin.schema.id == "org.levin.test");
  CHECK(plugin.path == fs::canonical(built("good")));
  const levin_component* thing = plugin.component(LEVIN_KIND_CALLBACK, "thing");
  REQUIRE(thing);
  CHECK(plugin.component(LEVIN_KIND_MODEL, "thing") == nullptr);
  const levin_create in = {sizeof in, LEVIN_STAGE_FIT, nullptr, nullptr, "thing"};
  void* self = nullptr;
  const levin_object* table = nullptr;
  CHECK(thing->create(plugin.host, &in, &self, &table) == LEVIN_E_UNSUPPORTED);
  CHECK(hosts.last_failure(*plugin.host) == "made for tests of loading");
}

TEST_CASE("each broken plugin is refused with its own message") {
  const struct {
    const char *plugin, *words, *check;
  } rows[] = {
      {"no_note", "not a Levin plugin", "(P3)"},
      {"wrong_major", "needs plugin ABI 1.0, this host has 0.", "(P4)"},
      {"newer_minor", "needs plugin ABI 0.99, this host has 0.", "(P4)"},
      {"older_minor", "rebuild the plugin with this host's SDK", "(P4)"},
      {"other_torch", "built for another LibTorch: LibTorch 9.9, this host has", "(P5)"},
      {"needs_torch_cuda", "needs libtorch_cuda.so, which this host does not load", "(P6)"},
      {"needs_second_torch", "needs libtorch_cpu.so.9.9, this host runs with libtorch_cpu.so", "(P6)"},
      {"portable_needs_torch", "says torch=none, but it needs libtorch_cpu.so.9.9", "(P6)"},
      {"throws_in_initialiser", "a static initialiser threw an exception: initialiser is upset", "(P8)"},
      {"throws_int_in_initialiser", "a static initialiser threw something that is not an exception, but of type int",
       "(P8)"},
      {"exits_in_initialiser", "ended the process while it was loaded", "(P8)"},
      {"crashes_in_entry", "SIGSEGV", "(P8)"},
      {"missing_symbol", "nobody_has_this_function", "(P9)"},
      {"no_entry", "has no entry levin_plugin_v0", "(P10)"},
      {"returns_null", "the moon is in the wrong phase", "(P10)"},
      {"returns_null_silently", "returned NULL and gave no reason", "(P10)"},
      {"throws_in_entry", "entry is upset", "(P10)"},
      {"throws_int_in_entry", "its entry threw something that is not an exception, but of type int", "(P10)"},
      {"small_table", "a table of 24 bytes", "(P10)"},
      {"wrong_table_major", "ABI major 7, this host has 0", "(P10)"},
      {"duplicate_option", "option thing.count is declared twice", "(P11)"},
      {"duplicate_component", "two callback components 'thing'", "(P11)"},
      {"invalid_default", "the default of thing.count: 11", "(P11)"},
      {"default_not_json", "the default of thing.count", "(P11)"},
      {"reserved_option", "'batch_size', which the host gives every data module", "(P11)"},
      {"unknown_hook", "hook 60, which this host does not know", "(P11)"},
      {"unknown_kind", "unknown kind 77", "(P11)"},
      {"no_create", "no create function", "(P11)"},
      {"no_component", "has no component", "(P11)"},
      {"not_utf8", "not UTF-8", "(P11)"},
      {"wrong_id", "its note says it is 'org.levin.test', its tables say 'org.levin.another'", "(P12)"},
  };
  for (const auto& row : rows) {
    const std::string message = refused(built(row.plugin));
    INFO(row.plugin);
    CHECK_THAT(message, ContainsSubstring(row.words) && ContainsSubstring(row.check) &&
                            ContainsSubstring("lib" + std::string(row.plugin) + ".so"));
  }
}

TEST_CASE("files that are no plugins at all are refused") {
  const TempFolder scratch;
  const fs::path file = copy_plugin("good", scratch / "libgood.so");
  write_bytes(scratch / "text.so", "not a library");
  write_bytes(scratch / "cut.so", bytes_of(file).substr(0, 3000));
  fs::create_symlink("loop.so", scratch / "loop.so");
  REQUIRE(mkfifo((scratch / "fifo.so").c_str(), 0600) == 0);
  CHECK_THAT(refused(scratch / "text.so"), ContainsSubstring("not an ELF file"));
  CHECK_THAT(refused(scratch / "cut.so"), ContainsSubstring("cut short"));
  CHECK_THAT(refused(scratch / "loop.so"), ContainsSubstring("leads to itself"));
  CHECK_THAT(refused(scratch / "fifo.so"), ContainsSubstring("a FIFO"));
  CHECK_THAT(refused(scratch.path()), ContainsSubstring("a folder"));
  REQUIRE(chmod(file.c_str(), 0602) == 0);
  CHECK_THAT(refused(file), ContainsSubstring("anyone may write it"));
  CHECK(refused(file, true).empty());
}

TEST_CASE("the probe's verdicts hold without a probe, where code cannot end the process") {
  static TestHosts hosts;
  const auto enter = [](const char* plugin) {
    return refusal([&] {
      const levin_host& host = hosts.host_for(plugin);
      enter_library(open_library(built(plugin), plugin), host, plugin, [&] { return hosts.last_failure(host); });
    });
  };
  CHECK_THAT(enter("throws_in_entry"), ContainsSubstring("entry is upset"));
  CHECK_THAT(enter("throws_int_in_entry"), ContainsSubstring("not an exception"));
  CHECK_THAT(enter("returns_null"), ContainsSubstring("the moon is in the wrong phase"));
  CHECK_THAT(enter("small_table"), ContainsSubstring("a table of 24 bytes"));
  CHECK_THAT(enter("no_entry"), ContainsSubstring("has no entry"));
}

namespace {

void run(const std::vector<std::string>& command) {
  REQUIRE(run_child(command, std::chrono::seconds(60)).exit_code == 0);
}

void embed(const fs::path& file) {
  run({LEVIN_TEST_DESCRIBER, "embed-description", file.string(), LEVIN_TEST_OBJCOPY});
}

}  // namespace

TEST_CASE("a description that is not that of the code is refused") {
  const TempFolder scratch;
  const fs::path one = copy_plugin("good", scratch / "libone.so"),
                 two = copy_plugin("two_components", scratch / "libtwo.so");
  embed(one);
  const std::string section = ".levin.description=" + (scratch / "text.json").string();
  run({LEVIN_TEST_OBJCOPY, "--dump-section", section, one.string()});
  run({LEVIN_TEST_OBJCOPY, "--add-section", section, two.string()});
  CHECK(refused(one).empty());
  CHECK_THAT(refused(two),
             ContainsSubstring("differs from its code: components is [\"thing\"]") && ContainsSubstring("(P12)"));
}

TEST_CASE("every part of an embedded description that was edited is refused by its name") {
  const struct {
    const char *part, *value, *words;
  } rows[] = {
      {"/components/0/options/0/max", "20", "thing.count.max is 20.0 in the description and 10.0 in the code"},
      {"/components/0/options/0/bounded", "false", "thing.count.bounded is null in the description and true"},
      {"/components/0/options/0/default", "2", "thing.count.default is 2 in the description and 1 in the code"},
      {"/components/0/options/0/help", "\"how few\"", "thing.count.help is 'how few'"},
      {"/components/0/options/0/flags", "2", "thing.count.flags is 2 in the description and 0"},
      {"/components/0/options/0/name", "\"amount\"",
       "thing.options is [\"amount\"] in the description and [\"count\"]"},
      {"/components/0/options/0/aliases", "[\"n\"]", "thing.count.aliases is [\"n\"] in the description and null"},
      {"/components/0/hooks", "[\"on_fit_end\"]", "thing.hooks is [\"on_fit_end\"]"},
      {"/components/0/aliases", "[]", "thing.aliases is []"},
      {"/components/0/defaults", "{\"trainer.max_epochs\": 3}", "thing.defaults.trainer.max_epochs is 3"},
      {"/components/0/flags", "1", "thing.flags is 1 in the description and 0"},
      {"/components/0/state_since", "\"0.9\"", "thing.state_since is '0.9'"},
      {"/version", "\"2.0.0\"", "version is '2.0.0' in the description and '1.0.0'"},
  };
  const TempFolder scratch;
  const fs::path text = scratch / "text.json", good = copy_plugin("good", scratch / "libgood.so");
  const std::string section = ".levin.description=" + text.string();
  embed(good);
  run({LEVIN_TEST_OBJCOPY, "--dump-section", section, good.string()});
  const nlohmann::json description = parse_json(bytes_of(text), "the description");
  int n = 0;
  for (const auto& row : rows) {
    INFO(row.part);
    nlohmann::json edited = description;
    edited[nlohmann::json::json_pointer(row.part)] = nlohmann::json::parse(row.value);
    write_bytes(text, edited.dump());
    const fs::path file = copy_plugin("good", scratch / ("lib" + std::to_string(++n) + ".so"));
    run({LEVIN_TEST_OBJCOPY, "--add-section", section, file.string()});
    CHECK_THAT(refused(file), ContainsSubstring(std::string("differs from its code: ") + row.words) &&
                                  ContainsSubstring("build it again (P12)"));
  }
}

TEST_CASE("a kept description that is not that of the code is refused") {
  const TempFolder scratch;
  const fs::path cache = scratch / "plugins.json";
  const auto load = [&] {
    TestHosts hosts;
    return refusal([&] { load_plugin(built("good"), hosts, {false, test_probe(cache)}); });
  };
  CHECK(load().empty());
  std::string kept = bytes_of(cache);
  const std::string bound = R"(\"max\":10.0)";
  REQUIRE(kept.find(bound) != std::string::npos);
  write_bytes(cache, kept.replace(kept.find(bound), bound.size(), R"(\"max\":20.0)"));
  CHECK_THAT(load(), ContainsSubstring("description differs from an earlier one: thing.count.max is 20.0") &&
                         ContainsSubstring("(P12)"));
}

}  // namespace loader_test
