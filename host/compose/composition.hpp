// Which components a run is made of, decided from the settings that name components.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "host/compose/component_source.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// A component that somebody chose, as the model, the data module, or one of the callbacks or loggers.
struct ChosenComponent {
  std::string group, name;  // "callback", "best"; of "model" and "data" the name is the component's id
  std::string written;      // as the component was named
  FoundComponent found;
  std::string origin;
  int rank = rank_default;   // of the setting that chose the component; options of lower rank were for another one
  int named = rank_default;  // of the last setting that named it
  bool by_user = false;
  std::string off{};     // why it is not part of the run; "": it is
  bool removed = false;  // by a setting of its own

  std::string key() const { return group == "model" || group == "data" ? group : group + "." + name; }
  const ComponentSchema& schema() const { return *found.component; }
};

struct Composition {
  // Model, data, then callbacks and loggers in the order of their first naming.
  std::vector<ChosenComponent> components;
  std::vector<Setting> settings;      // all, with those that model and data recommend, in order of rank
  std::vector<std::string> warnings;  // of components named by default or recommended that are not there
  std::vector<std::string> instance_names(const std::string& group) const;
  ChosenComponent* find(const std::string& key);  // "model", "callback.best"
  const ChosenComponent* find(const std::string& key) const;
};

// Looks at the settings that name components only. Throws what ComponentSource::find throws, with the setting's origin,
// for a component that the user named.
// recommendations: what model and data recommend counts.
Composition compose(std::vector<Setting> settings, ComponentSource& source, bool recommendations = true);

// Marks as off what is there by default where the user names another in its place: an instance of the same component, a
// component that serves the same trainer flag, or, of loggers, any.
void drop_overridden_defaults(Composition& composition);

// The order in which callbacks are made and called: those that the user names, those that his flags ask for, and those
// that are there by default, each in the order of their naming.
void sort_by_choice(Composition& composition);

uint32_t kind_of_group(const std::string& group);  // 0: not a group of components

}  // namespace levin::core
