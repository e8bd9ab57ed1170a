// The project of a new plugin, made from the installed templates with the plugin's names filled in.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "host/project/plugin_name.hpp"
#include "host/project/project_kind.hpp"

namespace levin::core {

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
