// The components of a run, chosen by the settings that name components.
#pragma once
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
  int rank = rank_default;   // of the setting that chose the component; options of a lower rank belong to another one
  int named = rank_default;  // rank of the last setting that named the component
  bool by_user = false;
  std::string off{};     // why the component is not part of the run; empty = it is part of the run
  bool removed = false;  // switched off by a setting for this instance, such as callback.best=false

  std::string key() const { return group == "model" || group == "data" ? group : group + "." + name; }
  const ComponentSchema& schema() const { return *found.component; }
};

struct Composition {
  // The model, the data module, then callbacks and loggers in the order in which they were first named.
  std::vector<ChosenComponent> components;
  std::vector<Setting> settings;      // all settings by rank, with the recommendations of model and data module
  std::vector<std::string> warnings;  // about components that were not found and that the user did not name
  std::vector<std::string> instance_names(const std::string& group) const;
  ChosenComponent* find(const std::string& key);  // "model", "callback.best"
  const ChosenComponent* find(const std::string& key) const;
};

// Reads only the settings that name components. Throws the error of ComponentSource::find, with the setting's origin,
// if a component named by the user is not found. recommendations: also apply the settings that the model and the data
// module recommend.
Composition compose(std::vector<Setting> settings, ComponentSource& source, bool recommendations = true);

// Switches off a default component if the user names a replacement: an instance of the same component, a component that
// serves the same trainer flag, or, for a logger, any other logger.
void drop_overridden_defaults(Composition& composition);

// Sorts the components into the order in which callbacks are created and called: first the components named by the
// user, then those added by trainer flags, then the defaults, each group in the order of naming.
void sort_by_choice(Composition& composition);

uint32_t kind_of_group(const std::string& group);  // 0 = not a group of components

}  // namespace levin::core
