// The project of a new plugin: the templates of the installation with the plugin's names in them.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "host/project/plugin_name.hpp"
#include "host/project/project_kind.hpp"

namespace levin::core {

struct PluginProject {
  const ProjectKind& kind;
  std::string language;  // "cpp", "c" or "rust": a folder of the templates
  PluginName name;

  std::string plugin_id() const { return "com.example." + name.id; }  // as in the templates
  // Returns true if there is a template of this kind in this language.
  bool has_template(const std::filesystem::path& share) const;
  // The texts of all files by their path in the project. `share`: the folder with templates and examples, of which some
  // are templates too. Throws Error{internal}.
  std::map<std::string, std::string> files(const std::filesystem::path& share) const;
};

// Writes all files or none: the folder must not exist, or be empty. Throws Error{usage}.
void write_project(const std::filesystem::path& folder, const std::map<std::string, std::string>& files);

}  // namespace levin::core
