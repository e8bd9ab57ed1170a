#include "host/project/plugin_project.hpp"

#include <unistd.h>

#include "core/base/error.hpp"
#include "core/base/file.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// An example that is used as a template by replacing its names.
struct NamedExample {
  const char *language, *kind, *file, *id, *class_name;
};
constexpr NamedExample named_examples[] = {{"c", "model", "05-model-in-c/c_mlp.c", "c_mlp", "CMlp"}};

const NamedExample* find_example(const PluginProject& project) {
  for (const NamedExample& example : named_examples)
    if (project.language == example.language && std::string(project.kind.name) == example.kind) return &example;
  return nullptr;
}

void add_example(Files& files, const fs::path& examples, const NamedExample& example) {
  const fs::path path = examples / example.file;
  const std::string text = replaced(read_file(path), example.id, "my_plugin");
  files[replaced(path.filename().string(), example.id, "my_plugin")] = replaced(text, example.class_name, "MyPlugin");
}

void add_files(Files& files, const fs::path& folder) {
  std::error_code failed;
  for (const auto& entry : fs::recursive_directory_iterator(folder, failed))
    if (entry.is_regular_file()) files[entry.path().lexically_relative(folder).string()] = read_file(entry.path());
}

}  // namespace

bool PluginProject::has_template(const fs::path& share) const {
  return find_example(*this) != nullptr || fs::is_directory(share / "templates" / language / kind.name);
}

Files PluginProject::files(const fs::path& share) const {
  const fs::path templates = share / "templates";
  Files found;
  for (const char* part : {"common", "LANGUAGE/common", "LANGUAGE/KIND"})  // later files override earlier ones
    add_files(found, templates / replaced(replaced(part, "LANGUAGE", language), "KIND", kind.name));
  if (found.empty())
    throw Error(ErrorKind::internal,
                "the templates, which are a part of the installation, are not in " + templates.string());
  if (const NamedExample* example = find_example(*this)) add_example(found, share / "examples", *example);
  Files out;
  for (const auto& [path, text] : found) {
    std::string named = replaced(text, "my_run_words", replaced(kind.run, "COMPONENT", plugin_id() + ":" + name.id));
    named = replaced(named, "my_packages", language == "rust" ? "rustc bindgen" : "g++");
    out[replaced(path, "my_plugin", name.id)] =
        replaced(replaced(named, "my_plugin", name.id), "MyPlugin", name.class_name);
  }
  return out;
}

void write_project(const fs::path& folder, const Files& files) {
  std::error_code failed;
  if (fs::exists(fs::symlink_status(folder)) && !(fs::is_directory(folder, failed) && fs::is_empty(folder, failed)))
    throw Error(ErrorKind::usage,
                "host new: '" + folder.string() + "' exists already; choose another name, or remove it");
  const fs::path aside = folder.string() + ".tmp." + std::to_string(getpid());
  try {
    for (const auto& [path, text] : files) write_file_durable(aside / path, text, ErrorKind::usage);
    fs::rename(aside, folder);
  } catch (const fs::filesystem_error& e) {
    fs::remove_all(aside, failed);
    throw Error(ErrorKind::usage, "host new: cannot make '" + folder.string() + "': " + e.code().message());
  } catch (const Error&) {
    fs::remove_all(aside, failed);
    throw;
  }
}

}  // namespace levin::core
