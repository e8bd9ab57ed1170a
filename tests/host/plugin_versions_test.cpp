// A plugin that changes between two runs: former option names, and saved runs that resume with a new version.
#include "core/base/json.hpp"
#include "core/config/run_config.hpp"
#include "installation.hpp"

using namespace levin::core;
using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

RunConfig engine_input(const Answer& answer) {
  REQUIRE(answer.code == 0);
  const size_t start = answer.out.find("\n{");
  REQUIRE(start != std::string::npos);
  return run_config_from_json(parse_json(answer.out.substr(start + 1), "the engine's input"), "the engine's input");
}

struct Versions {
  Installation installation;
  fs::path file = installation.plugins() / "libversions.so";

  void install(const char* version) const {
    fs::remove(file);
    fs::copy_file(version, file);
  }
  // Saves a run of version 1 with the additional `words`.
  Versions& saved(const std::string& words) {
    install(LEVIN_TEST_VERSION_1);
    const RunConfig run = engine_input(installation.host("fit " + good + "--callback keeper " + words));
    installation.write("run/config.json", to_json_without_secrets(run).dump(2));
    return *this;
  }
  Answer resume(const std::string& words = "") const { return installation.host("resume run " + words); }
};

const std::string keeper = good + "--callback keeper ";

}  // namespace

#if defined(__x86_64__)  // the machine of these files
TEST_CASE("every command refuses a plugin of the former ABI with what it needs, what the host has, and what to do") {
  const Installation installation;
  for (const char* name : {"moons_0.3", "slowest_batch_0.3"}) {
    const fs::path from = fs::path(LEVIN_TEST_OLD_ABI) / (std::string(name) + ".so");
    const std::string file = (installation.plugins() / ("lib" + std::string(name) + ".so")).string();
    fs::copy_file(from, file);
    for (const std::string& command :
         {"check " + file, "inspect " + file, "fit " + good + "--callback " + file, "plugins"s}) {
      const Answer answer = installation.host(command);
      INFO(command << "\n" << answer.out << answer.err);
      CHECK(answer.code == (command == "plugins" ? 0 : 3));
      CHECK_THAT(answer.out + answer.err,
                 ContainsSubstring(name) && ContainsSubstring("needs plugin ABI 0.3, this host has " LEVIN_ABI_TEXT) &&
                     ContainsSubstring("rebuild the plugin with this host's SDK, or use a host of that version"));
    }
  }
}
#endif

TEST_CASE("a former name of an option means the present one, and one line says so") {
  const Versions v;
  v.install(LEVIN_TEST_VERSION_2);
  v.installation.write("run.json", R"({"callback": {"keeper": {"size": 9}}})");
  const std::string line = "'width' is now 'hidden'";
  struct Case {
    std::string words;
    int64_t hidden;
    const char* says;
  };
  const Case cases[] = {{"--width 7", 7, "host: warning: --width: keeper's option 'width' is now 'hidden'\n"},
                        {"--callback.keeper.size 8", 8, "--callback.keeper.size: keeper's option 'size' is now"},
                        {"--config run.json", 9, "run.json:1:26: callback.keeper.size: keeper's option 'size' is now"},
                        {"--config run.json --hidden 5", 5, "run.json:1:26: callback.keeper.size"}};
  for (const Case& c : cases) {
    INFO(c.words);
    const Answer answer = v.installation.host("fit " + keeper + c.words);
    CHECK(engine_input(answer).callbacks.at(0).options.at("hidden") == c.hidden);
    CHECK_THAT(answer.err, ContainsSubstring(c.says));
  }
  CHECK_THAT(v.installation.host("fit " + keeper + "--hidden 7").err, !ContainsSubstring("is now"));
}

TEST_CASE("an option under two of its names is refused") {
  const Versions v;
  v.install(LEVIN_TEST_VERSION_2);
  for (const char* words : {"--width 7 --hidden 8", "--hidden 8 --callback.keeper.width 7", "--width 7 --size 8"}) {
    INFO(words);
    const Answer answer = v.installation.host("fit " + keeper + words);
    CHECK(answer.code == 2);
    CHECK_THAT(answer.error(),
               ContainsSubstring("are one option of keeper: ") && ContainsSubstring("give one of them"));
  }
}

TEST_CASE("a deprecated option works, and whoever sets it is told what to use") {
  const Versions v;
  v.install(LEVIN_TEST_VERSION_2);
  const Answer answer = v.installation.host("fit " + keeper + "--silent");
  CHECK(engine_input(answer).callbacks.at(0).options.at("silent") == true);
  CHECK_THAT(answer.err, ContainsSubstring("--silent: keeper's option 'silent' is deprecated: use mode\n"));
  CHECK_THAT(v.installation.host("fit " + keeper).err, !ContainsSubstring("deprecated"));
}

TEST_CASE("help and inspect show former names, deprecations and the oldest state") {
  const Versions v;
  v.install(LEVIN_TEST_VERSION_2);
  CHECK_THAT(v.installation.host("help keeper").out,
             ContainsSubstring("formerly width, size\n") && ContainsSubstring("deprecated: use mode\n"));
  CHECK_THAT(v.installation.host("inspect libversions.so").out, ContainsSubstring("formerly width, size") &&
                                                                    ContainsSubstring("deprecated: use mode") &&
                                                                    ContainsSubstring("state since  2.0.0"));
}

TEST_CASE("a run that goes on with the plugins that it had says nothing of them") {
  Versions v;
  CHECK_THAT(v.saved("--width 7").resume().err, !ContainsSubstring("warning"));
}

TEST_CASE("a saved option that a new version does not have is refused by name, or left out if that is allowed") {
  Versions v;
  v.saved("--width 7 --beta 0.8").install(LEVIN_TEST_VERSION_2);
  for (const std::string words : {"resume run ", "fit --config run/config.json "}) {
    INFO(words);
    const Answer refused = v.installation.host(words);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.error(),
               ContainsSubstring("run/config.json: callback keeper 2.0.0 (") &&
                   ContainsSubstring("no longer has the option callback.keeper.beta=0.8 of the saved run") &&
                   ContainsSubstring("--allow_plugin_changes resumes without it"));
    const Answer allowed = v.installation.host(words + "--allow_plugin_changes");
    const RunConfig config = engine_input(allowed);
    CHECK(config.callbacks.at(0).options ==
          nlohmann::json({{"hidden", 7}, {"gamma", 0.5}, {"silent", false}, {"mode", "max"}}));
    CHECK(config.allow_plugin_changes);
    for (const char* line :
         {"warning: callback keeper was 1.0.0 in the saved run, and is now 2.0.0\n",
          "has changed since the run was saved (SHA-256 ",
          "no longer has the option callback.keeper.beta=0.8 of the saved run\n",
          "keeper's option 'width' is now 'hidden'\n",
          "callback keeper 2.0.0 has options that the saved run did not have, by default gamma=0.5\n"})
      CHECK_THAT(allowed.err, ContainsSubstring(line));
    CHECK_THAT(allowed.err, !ContainsSubstring("deprecated"));  // the user did not set it
  }
}

TEST_CASE("a saved component that somebody exchanges is not compared") {
  Versions v;
  v.saved("--beta 0.8").install(LEVIN_TEST_VERSION_2);
  const Answer answer = v.installation.host("fit --config run/config.json --callback keeper=toy_halt");
  CHECK(engine_input(answer).callbacks.at(0).component == "toy_halt");
  CHECK_THAT(answer.err, !ContainsSubstring("saved run"));
}

TEST_CASE("another file of the name of one that is gone is refused, and a copy of it is told of") {
  Versions v;
  v.saved("--width 7");
  fs::create_directories(v.installation.folder() / "other");
  const fs::path other = v.installation.folder() / "other" / "libversions.so";
  fs::copy_file(v.file, other);
  fs::remove(v.file);
  const Answer copied = v.resume("--plugins other");
  CHECK(engine_input(copied).callbacks.at(0).file == other.string());
  CHECK_THAT(copied.err, ContainsSubstring(v.file.string() + " is gone: its copy " + other.string() + " is used\n"));
  fs::remove(other);
  fs::copy_file(LEVIN_TEST_VERSION_2, other);
  const Answer refused = v.resume("--plugins other");
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, ContainsSubstring("error[E0316]"));
  CHECK_THAT(refused.error(), ContainsSubstring("callback keeper: its file " + v.file.string() + " is gone, and " +
                                                other.string() + " is another one (SHA-256 "));
  const Answer allowed = v.resume("--plugins other --allow_plugin_changes");
  CHECK(engine_input(allowed).callbacks.at(0).version == "2.0.0");
  CHECK_THAT(allowed.err, ContainsSubstring("is used, which is another file"));
}

TEST_CASE("a callback whose plugin is gone is refused by name, or left out if that is allowed") {
  Versions v;
  v.saved("--callback other=keeper");
  fs::remove(v.file);
  for (const std::string words : {"resume run ", "fit --config run/config.json "}) {
    INFO(words);
    const Answer refused = v.installation.host(words);
    CHECK(refused.code == 3);
    CHECK_THAT(refused.error(), ContainsSubstring("callback keeper of the saved run: ") &&
                                    ContainsSubstring("libversions.so") &&
                                    ContainsSubstring("; --allow_plugin_changes resumes without it"));
    const Answer allowed = v.installation.host(words + "--allow_plugin_changes");
    const RunConfig config = engine_input(allowed);
    CHECK(std::none_of(config.callbacks.begin(), config.callbacks.end(),
                       [](const ComponentConfig& c) { return c.component == "keeper"; }));
    for (const char* name : {"keeper", "other"})
      CHECK_THAT(allowed.err, ContainsSubstring("warning: callback " + std::string(name) + " of the saved run: "));
    CHECK_THAT(allowed.err, ContainsSubstring("; the run resumes without it and its state\n"));
  }
  v.installation.write("off.json", R"({"callback": {"other": false}})");
  const std::string exchanged = "fit --config run/config.json --config off.json --callback keeper=toy_halt";
  const Answer answer = v.installation.host(exchanged);
  CHECK(engine_input(answer).callbacks.at(0).component == "toy_halt");
  CHECK_THAT(answer.err, !ContainsSubstring("saved run"));
}
