#include <algorithm>
#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/plugin/index/plugin_dirs.hpp"
#include "core/plugin/index/plugin_index.hpp"
#include "host/commands/handlers.hpp"
#include "host/project/plugin_project.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kinds = {"model", "data", "callback", "logger"};
const struct Language {
  const char *option, *folder, *name;
} languages[] = {{"--cpp", "cpp", "C++"}, {"--c", "c", "C"}, {"--rust", "rust", "Rust"}};

[[noreturn]] void refuse_new(const std::string& why) { throw Error(ErrorKind::usage, "host new KIND NAME: " + why); }

struct NewWords {
  std::string kind, name;
  const Language* language = nullptr;
};

const Language& language_of(const std::string& option) {
  for (const auto& language : languages)
    if (option == language.option) return language;
  refuse_new("there is no option " + option + did_you_mean(option, {"--c", "--cpp", "--rust"}));
}

void set_language(NewWords& out, const Language& language) {
  if (out.language != nullptr && out.language != &language)
    refuse_new(std::string(out.language->option) + " and " + language.option +
               " are two languages; a plugin is in one, leave one of them out");
  out.language = &language;
}

NewWords read_new_words(const std::vector<std::string>& words) {
  NewWords out;
  std::vector<std::string> names;
  for (const auto& word : words) {
    if (starts_with(word, "-"))
      set_language(out, language_of(word));
    else
      names.push_back(word);
  }
  if (out.language == nullptr) out.language = &languages[0];
  if (names.empty()) refuse_new("no kind is named; kinds: " + join(kinds, ", "));
  if (std::find(kinds.begin(), kinds.end(), names[0]) == kinds.end())
    refuse_new("there is no kind '" + names[0] + "'" + did_you_mean(names[0], kinds));
  if (names.size() == 1) refuse_new("no name is given; e.g. host new " + names[0] + " my_" + names[0]);
  if (names.size() > 2) refuse_new("'" + names[2] + "' is one word too many");
  out.kind = names[0];
  out.name = names[1];
  return out;
}

// Another plugin's component of this name would make the name ambiguous in every run that finds both.
void refuse_known(const PluginProject& project) {
  PluginIndex index(plugin_dirs({}), /*trust=*/true);
  for (const PluginFile& file : index.files())
    for (const ComponentSchema& component : file.schema.components)
      if (kind_name(component.kind) == project.kind && component.answers_to(project.name.id) &&
          component.plugin != project.plugin_id())
        refuse_new("there is a " + project.kind + " '" + project.name.id + "' already, " + component.full_name() +
                   " in " + file.path.string() + ": runs could not tell the two apart by that name; take another, " +
                   "such as my_" + project.name.id);
}

void say_next(const std::string& folder, const PluginName& name) {
  const fs::path prefix = installation();
  const bool in_system = prefix == "/usr" || prefix == "/usr/local";
  std::printf("\n  cmake -S %s -B %s/build%s\n", folder.c_str(), folder.c_str(),
              in_system ? "" : (" -DCMAKE_PREFIX_PATH=" + prefix.string()).c_str());
  std::printf("  cmake --build %s/build\n  ctest --test-dir %s/build\n", folder.c_str(), folder.c_str());
  std::printf("  host install %s/build/lib%s.so\n", folder.c_str(), name.id.c_str());
  std::error_code failed;
  if (!fs::is_directory(prefix / "lib" / "cmake" / "Levin", failed))
    std::printf(
        "\nThis host is in a build: install it first, `cmake --install %s --prefix PREFIX`, and take that prefix.\n",
        prefix.c_str());
}

}  // namespace

int new_command(const std::vector<std::string>& words) {
  const NewWords given = read_new_words(words);
  const fs::path folder = absolute_path(given.name);
  const fs::path typed = given.name,
                 written = typed.has_filename() ? typed : typed.parent_path();  // without a last slash
  const PluginProject project = {given.kind, given.language->folder,
                                 read_plugin_name(written.filename().string(), given.kind)};
  refuse_known(project);
  const auto files = project.files(installation() / "share" / "levin");
  write_project(folder, files);
  std::printf("%s: a %s in %s, %zu files. It builds and passes its tests:\n", folder.c_str(),
              given.kind == "data" ? "data module" : given.kind.c_str(), given.language->name, files.size());
  say_next(given.name, project.name);
  return 0;
}

}  // namespace levin::core
