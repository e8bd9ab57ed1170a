// The components of a run, decided from the settings that name components.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "host/compose/component_source.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// A component that a setting chose as the model, the data module, a callback or a logger.
struct ChosenComponent {
  std::string group, name;  // such as "callback" and "best"; for "model" and "data" the name is the component's id
  std::string written;      // how the setting named the component
  FoundComponent found;
  std::string origin;
  int rank = rank_default;   // of the setting that chose the component; options of a lower rank are for another one
  int named = rank_default;  // rank of the last setting that named it
  bool by_user = false;
  std::string off{};     // why it is not part of the run; "": it is part of it
  bool removed = false;  // switched off by a setting for this instance, such as callback.best=false

  std::string key() const { return group == "model" || group == "data" ? group : group + "." + name; }
  const ComponentSchema& schema() const { return *found.component; }
};

struct Composition {
  // The model, the data module, then callbacks and loggers in the order in which they were first named.
  std::vector<ChosenComponent> components;
  std::vector<Setting> settings;      // all settings in order of rank, including those that model and data recommend
  std::vector<std::string> warnings;  // about components that were not found, if the user did not name them
  std::vector<std::string> instance_names(const std::string& group) const;
  ChosenComponent* find(const std::string& key);  // "model", "callback.best"
  const ChosenComponent* find(const std::string& key) const;
};

// Only looks at the settings that name components. Throws the error of ComponentSource::find, with the setting's
// origin, if a component that the user named is not found. recommendations: also applies the settings that the model
// and the data module recommend.
Composition compose(std::vector<Setting> settings, ComponentSource& source, bool recommendations = true);

// Switches off a default component if the user names a replacement: an instance of the same component, a component that
// serves the same trainer flag, or, for a logger, any other logger.
void drop_overridden_defaults(Composition& composition);

// Sorts the components into the order in which callbacks are created and called: first those that the user names, then
// those that trainer flags add, then the defaults, each in the order in which they were named.
void sort_by_choice(Composition& composition);

uint32_t kind_of_group(const std::string& group);  // 0: not a group of components

}  // namespace levin::core
