// The project of a new plugin: its kind, its names and its files, made from the installed templates with the plugin's
// names filled in.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace levin::core {

struct ProjectKind {
  const char* name;       // "data": the name that users type, and a template folder
  const char* noun;       // "a data module"
  const char* component;  // kind of the plugin's component; a metric comes with a model that logs it
  // The arguments of `host fit` that use the plugin (COMPONENT) with components of every installation. They are full
  // names, because other plugins may have components with the same short names.
  const char* run;
};

inline constexpr ProjectKind project_kinds[] = {
    {"model", "a model", "model", "--model COMPONENT --data levin.synthetic:synthetic"},
    {"data", "a data module", "data", "--model levin.mlp:mlp --data COMPONENT"},
    {"callback", "a callback", "callback",
     "--model levin.mlp:mlp --data levin.synthetic:synthetic --callback COMPONENT"},
    {"logger", "a logger", "logger", "--model levin.mlp:mlp --data levin.synthetic:synthetic --logger COMPONENT"},
    {"optimizer", "an optimizer", "optimizer",
     "--model levin.cnn:cnn --data levin.synthetic:synthetic --data.size 16 --model.optimizer COMPONENT"},
    {"metric", "a metric", "model", "--model COMPONENT --data levin.synthetic:synthetic"},
    {"tasks", "a component of tasks", "tasks", ""}};

// Returns nullptr if there is no such kind.
inline const ProjectKind* find_project_kind(const std::string& name) {
  for (const ProjectKind& kind : project_kinds)
    if (name == kind.name) return &kind;
  return nullptr;
}

inline std::vector<std::string> project_kind_names() {
  std::vector<std::string> names;
  for (const ProjectKind& kind : project_kinds) names.push_back(kind.name);
  return names;
}

struct PluginName {
  std::string id;          // "my_model": name of the component, the library and the sources
  std::string class_name;  // "MyModel"
};

// Reads "My-Model", "MyModel" or "my_model". kind: "model", the end of the class name. Throws Error{usage} for a name
// that no plugin can have; the message suggests what to do.
PluginName read_plugin_name(const std::string& written, const std::string& kind);

struct PluginProject {
  const ProjectKind& kind;
  std::string language;  // "cpp", "c" or "rust": a template folder
  PluginName name;

  std::string plugin_id() const { return "com.example." + name.id; }  // as in the templates
  // Returns true if there is a template of this kind in this language.
  bool has_template(const std::filesystem::path& share) const;
  // Returns the texts of all files by their path in the project. share: the folder with the templates and examples,
  // some of which serve as templates. Throws Error{internal}.
  std::map<std::string, std::string> files(const std::filesystem::path& share) const;
};

// Writes all files or none. Throws Error{usage} if the folder exists and is not empty.
void write_project(const std::filesystem::path& folder, const std::map<std::string, std::string>& files);

}  // namespace levin::core
