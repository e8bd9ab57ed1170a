// The kinds of projects that `host new` writes.
#pragma once
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
    {"metric", "a metric", "model", "--model COMPONENT --data levin.synthetic:synthetic"}};

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

}  // namespace levin::core
