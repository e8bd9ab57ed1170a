#include "host/project/plugin_project.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Returns true for the names of CMake's own targets and of LibTorch's libraries.
bool is_taken(const std::string& id) {
  for (const char* name : {"all", "clean", "depend", "edit_cache", "help", "install", "list_install_components",
                           "package", "package_source", "preinstall", "rebuild_cache", "run_tests", "test",
                           "zero_check", "all_build", "c10", "torch", "torch_cpu"})
    if (id == name) return true;
  return false;
}

// Splits at dashes, underscores and capitals: "My-HTTPModel" gives my, http and model.
std::vector<std::string> name_parts(const std::string& written) {
  std::vector<std::string> words = {""};
  for (size_t i = 0; i < written.size(); ++i) {
    const char c = written[i];
    if (c == '-' || c == '_') {
      words.emplace_back();
      continue;
    }
    const bool after_lower = i > 0 && !is_upper(written[i - 1]) && is_letter(written[i - 1]);
    const bool before_lower = i > 0 && i + 1 < written.size() && is_letter(written[i + 1]) && !is_upper(written[i + 1]);
    if (is_upper(c) && (after_lower || before_lower)) words.emplace_back();
    words.back() += c;
  }
  words.erase(std::remove(words.begin(), words.end(), ""), words.end());
  return words;
}

std::string capitalized(const std::string& word) {
  std::string out = lower(word);
  if (!out.empty()) out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out;
}

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

PluginName read_plugin_name(const std::string& written, const std::string& kind) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::name_invalid, "host new: '" + written + "' " + why);
  };
  const auto fits = [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; };
  if (written.empty() || !is_letter(written[0]) || !std::all_of(written.begin(), written.end(), fits))
    refuse("is not a name: begin with a letter, and use letters, digits, - and _");
  if (written.size() > 64) refuse("is too long: a name has up to 64 letters");
  PluginName name;
  const auto words = name_parts(written);
  name.id = lower(join(words, "_"));
  if (is_taken(name.id))
    refuse("is a name that CMake or LibTorch keeps for itself; try '" + name.id + "_" + kind + "'");
  for (const auto& word : words) name.class_name += capitalized(word);
  if (!ends_with(name.class_name, capitalized(kind))) name.class_name += capitalized(kind);
  return name;
}

bool PluginProject::has_template(const fs::path& share) const {
  return find_example(*this) != nullptr || fs::is_directory(share / "templates" / language / kind.name);
}

Files PluginProject::files(const fs::path& share) const {
  const fs::path templates = share / "templates";
  Files found;
  for (const char* part : {"common", "LANGUAGE/common", "LANGUAGE/KIND"})  // later files override earlier ones
    add_files(found, templates / replaced(replaced(part, "LANGUAGE", language), "KIND", kind.name));
  if (found.empty())
    throw Error(ErrorCode::installation_incomplete,
                "the templates of the installation are missing from " + templates.string());
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
  if (fs::exists(fs::symlink_status(folder, failed)) && !(is_folder(folder) && fs::is_empty(folder, failed)))
    throw Error(ErrorCode::output_exists,
                "host new: '" + folder.string() + "' already exists; choose another name, or remove it");
  const fs::path aside = folder.string() + ".tmp." + std::to_string(getpid());
  try {
    for (const auto& [path, text] : files) write_file_durable(aside / path, text);
    fs::rename(aside, folder);
  } catch (const fs::filesystem_error& e) {
    fs::remove_all(aside, failed);
    throw Error(ErrorCode::file_not_written, "host new: cannot make '" + folder.string() + "': " + e.code().message());
  } catch (const Error&) {
    fs::remove_all(aside, failed);
    throw;
  }
}

}  // namespace levin::core
