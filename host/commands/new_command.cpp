#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/commands.hpp"
#include "host/project/plugin_project.hpp"
#include "launch/common/shell_quote.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

const struct Language {
  const char *option, *folder, *name;
} languages[] = {{"--cpp", "cpp", "C++"}, {"--c", "c", "C"}, {"--rust", "rust", "Rust"}};

[[noreturn]] void refuse_new(const std::string& why) {
  throw Error(ErrorCode::argument_missing, "host new KIND NAME: " + why);
}

struct NewWords {
  const ProjectKind* kind = nullptr;
  std::string name;
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
               " are two languages; leave one of them out");
  out.language = &language;
}

NewWords read_new_words(const std::vector<std::string>& arguments) {
  NewWords out;
  std::vector<std::string> names;
  for (const auto& word : arguments) {
    if (starts_with(word, "-"))
      set_language(out, language_of(word));
    else
      names.push_back(word);
  }
  if (out.language == nullptr) out.language = &languages[0];
  const std::vector<std::string> kinds = project_kind_names();
  if (names.empty()) refuse_new("no kind is named; kinds: " + join(kinds, ", "));
  out.kind = find_project_kind(names[0]);
  if (out.kind == nullptr) refuse_new("there is no kind '" + names[0] + "'" + did_you_mean(names[0], kinds));
  if (names.size() == 1) refuse_new("no name is given; e.g. host new " + names[0] + " my_" + names[0]);
  if (names.size() > 2) refuse_new("unexpected argument '" + names[2] + "'");
  out.name = names[1];
  return out;
}

std::string with_article(const std::string& noun) { return (noun[0] == 'o' ? "an " : "a ") + noun; }

// Rejects the name of another plugin's component: it would be ambiguous in every run that finds both plugins.
void refuse_known(const PluginProject& project) {
  const std::string component = project.kind.component, id = project.name.id;
  if (component == "optimizer" && find_spec(optimizer_table(), id) != nullptr)
    refuse_new("'" + id +
               "' is the name of a built-in optimizer, which takes precedence; use another name, such as my_" + id);
  PluginIndex index(plugin_dirs({}), /*trust=*/true);
  for (const PluginFile& file : index.files())
    for (const ComponentSchema& known : file.schema.components)
      if (kind_name(known.kind) == component && known.answers_to(id) && known.plugin != project.plugin_id())
        refuse_new("there is " + with_article(component) + " '" + id + "' already, " + known.full_name() + " in " +
                   file.path.string() + ", and the name would be ambiguous; use another one, such as my_" + id);
}

void refuse_language(const PluginProject& project, const fs::path& share, const Language& language) {
  if (project.has_template(share) || project.language == languages[0].folder) return;
  const bool in_c = PluginProject{project.kind, "c", project.name}.has_template(share);
  refuse_new(std::string("there is no template of ") + project.kind.noun + " in " + language.name + ", only in " +
             (in_c ? "C++ and C" : "C++") + ": leave out " + language.option);
}

// Prints the commands that build and install the project. CMake finds Levin only in an installation, not in a build
// folder.
void say_next(const std::string& folder, const PluginName& name) {
  const fs::path prefix = installation();
  const bool in_build = !is_folder(prefix / "lib" / "cmake" / "Levin");
  const bool in_system = prefix == "/usr" || prefix == "/usr/local";
  const std::string to = shell_word(folder), where = in_build ? "\"$HOME/.local\"" : shell_word(prefix);
  if (in_build) std::printf("\n  cmake --install %s --prefix %s", shell_word(prefix).c_str(), where.c_str());
  std::printf("\n  cmake -S %s -B %s/build%s\n", to.c_str(), to.c_str(),
              in_system ? "" : (" -DCMAKE_PREFIX_PATH=" + where).c_str());
  std::printf("  cmake --build %s/build\n  ctest --test-dir %s/build\n", to.c_str(), to.c_str());
  std::printf("  %shost install %s/build/lib%s.so\n", in_build ? "\"$HOME/.local/bin\"/" : "", to.c_str(),
              name.id.c_str());
  if (in_build)
    std::printf("\nThis host is in a build folder, where CMake does not find Levin; the first command installs it.\n");
}

}  // namespace

int new_command(const std::vector<std::string>& arguments) {
  const NewWords given = read_new_words(arguments);
  const fs::path folder = absolute_path(given.name);
  const fs::path typed = given.name,
                 written = typed.has_filename() ? typed : typed.parent_path();  // without a trailing slash
  const PluginProject project = {*given.kind, given.language->folder,
                                 read_plugin_name(written.filename().string(), given.kind->name)};
  const fs::path share = installation() / "share" / "levin";
  refuse_language(project, share, *given.language);
  refuse_known(project);
  const auto files = project.files(share);
  write_project(folder, files);
  std::printf("%s: %s in %s, %zu files. Build, test and install it:\n", folder.c_str(), given.kind->noun,
              given.language->name, files.size());
  say_next(given.name, project.name);
  return 0;
}

}  // namespace levin::core
