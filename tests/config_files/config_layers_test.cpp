// Files that include others, and their profiles.
#include "host/config_files/config_layers.hpp"

#include "catch.hpp"
#include "core/base/text.hpp"
#include "host/compose/setting.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
using Strings = std::vector<std::string>;

namespace {

// Returns the names of the files' layers, without the folder.
Strings names_of(const TempFolder& folder, const std::vector<ConfigLayer>& layers) {
  Strings out;
  const std::string root = folder.path().string() + "/";
  for (const ConfigLayer& layer : layers)
    out.push_back(starts_with(layer.name, root) ? layer.name.substr(root.size()) : layer.name);
  return out;
}

std::string error_of(const TempFolder& folder, const std::string& file, const Strings& profiles = {}) {
  try {
    with_profiles(read_config_files({folder.file(file)}), profiles);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    std::string text = error.what();
    const std::string root = folder.path().string() + "/";
    for (size_t at = text.find(root); at != std::string::npos; at = text.find(root)) text.erase(at, root.size());
    return text;
  }
  return "no error";
}

}  // namespace

TEST_CASE("an included file comes before the file that includes it, once, in any format") {
  const TempFolder folder;
  folder.write("run.yaml", "include: [conf/a.toml, conf/b.json]\ntrainer: {max_epochs: 3}\n");
  folder.write("conf/a.toml", "include = '../base.yaml'\ntrainer.max_epochs = 2\n");
  folder.write("conf/b.json", "{\"include\": [\"../base.yaml\"], \"data\": \"mnist\"}");
  folder.write("base.yaml", "model: mlp\ntrainer: {max_epochs: 1}\n");
  const ConfigFiles files = read_config_files({folder.file("run.yaml")});
  CHECK(names_of(folder, files.layers) == Strings{"base.yaml", "conf/a.toml", "conf/b.json", "run.yaml"});
  for (const ConfigLayer& layer : files.layers) CHECK(!layer.document.value.contains("include"));
  const auto settings = settings_from_config(files.layers[3].document, "run.yaml", rank_file);
  CHECK(settings.size() == 1);
  CHECK(settings[0].origin == "run.yaml:2:11");
  const auto again = read_config_files({folder.file("run.yaml"), folder.file("conf/b.json")});
  CHECK(names_of(folder, again.layers) ==
        Strings{"base.yaml", "conf/a.toml", "conf/b.json", "run.yaml", "conf/b.json"});
}

TEST_CASE("profiles come behind all files, in the order in which they are named") {
  const TempFolder folder;
  folder.write("run.yaml",
               "include: base.yaml\nprofiles:\n  fast:\n    trainer: {max_epochs: 1}\n  gpu: {model: cnn}\n");
  folder.write("base.yaml", "profiles: {fast: {data: mnist}}\ntrainer: {max_epochs: 9}\n");
  const ConfigFiles files = read_config_files({folder.file("run.yaml")});
  CHECK(names_of(folder, with_profiles(files, {})) == Strings{"base.yaml", "run.yaml"});
  const auto layers = with_profiles(files, {"gpu", "fast"});
  CHECK(names_of(folder, layers) == Strings{"base.yaml", "run.yaml", "run.yaml", "base.yaml", "run.yaml"});
  CHECK(layers[2].document.value == nlohmann::json{{"model", "cnn"}});
  CHECK(layers[3].document.value == nlohmann::json{{"data", "mnist"}});
  const auto settings = settings_from_config(layers[4].document, "run.yaml", rank_file);
  REQUIRE(settings.size() == 1);
  CHECK(settings[0].key == "trainer.max_epochs");
  CHECK(settings[0].origin == "run.yaml:4:15");
}

TEST_CASE("wrong includes and profiles are refused with their place") {
  const TempFolder folder;
  folder.write("none.yaml", "model: mlp\ninclude: gone.yaml\n");
  folder.write("a.yaml", "include: b.yaml\n");
  folder.write("b.yaml", "include: [./a.yaml]\n");
  folder.write("self.yaml", "include: self.yaml\n");
  folder.write("list.yaml", "include: [3]\n");
  folder.write("empty.yaml", "include: ''\n");
  folder.write("broken.yaml", "include: bad.yaml\n");
  folder.write("bad.yaml", "model: [\n");
  folder.write("text.yaml", "include: text.csv\n");
  folder.write("text.csv", "a,b\n");
  folder.write("run.yaml", "include: config.json\n");
  folder.write("config.json", "{\"levin\": 1}");
  folder.write("folder.yaml", "include: .\n");
  folder.write("profiles.yaml", "profiles: [fast]\n");
  folder.write("profile.yaml", "profiles:\n  fast: 3\n");
  folder.write("good.yaml", "profiles:\n  fast: {}\n");
  CHECK(error_of(folder, "none.yaml") ==
        "none.yaml:2:1: include gone.yaml: cannot read 'gone.yaml': No such file or directory");
  CHECK(error_of(folder, "a.yaml") ==
        "b.yaml:1:1: include ./a.yaml: the files include each other: a.yaml -> b.yaml -> a.yaml");
  CHECK(error_of(folder, "self.yaml") ==
        "self.yaml:1:1: include self.yaml: the files include each other: self.yaml -> self.yaml");
  for (const char* name : {"list.yaml", "empty.yaml"})
    CHECK_THAT(error_of(folder, name), ContainsSubstring(":1:1: 'include' is the path of a file, or a list of paths"));
  CHECK_THAT(error_of(folder, "broken.yaml"), ContainsSubstring("bad.yaml:1:8: this bracket is not closed"));
  CHECK_THAT(error_of(folder, "text.yaml"),
             ContainsSubstring("text.yaml:1:1: include text.csv: a configuration file is"));
  CHECK_THAT(error_of(folder, "run.yaml"), ContainsSubstring("the configuration of a run cannot be included"));
  CHECK_THAT(error_of(folder, "folder.yaml"), ContainsSubstring("not a regular file"));
  CHECK_THAT(error_of(folder, "profiles.yaml"), ContainsSubstring("profiles.yaml:1:1: 'profiles' has configurations"));
  CHECK_THAT(error_of(folder, "profile.yaml"), ContainsSubstring("profile.yaml:2:3: the profile 'fast' is no"));
  CHECK_THAT(error_of(folder, "good.yaml", {"fats"}),
             ContainsSubstring("--profile: there is no profile 'fats'; did you mean 'fast'?"));
  CHECK(error_of(folder, "none.json") == "cannot read 'none.json': No such file or directory");
  folder.write("bare.yaml", "model: mlp\n");
  CHECK(error_of(folder, "bare.yaml", {"fast"}) == "--profile fast: no file of --config has profiles");
}

TEST_CASE("a chain of very many files ends with an error") {
  const TempFolder folder;
  for (int i = 0; i < 150; ++i)
    folder.write(std::to_string(i) + ".yaml", "include: " + std::to_string(i + 1) + ".yaml\n");
  CHECK_THAT(error_of(folder, "0.yaml"), ContainsSubstring("more than 100 files are included"));
}
