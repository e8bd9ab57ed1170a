// Which components a run is made of, decided from the settings that name components.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "host/compose/component_source.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

struct Slot {
  std::string group, name;  // "callback", "best"; of "model" and "data" the name is the component's id
  std::string written;      // as the component was named
  FoundComponent found;
  std::string origin;
  int rank = rank_default;   // of the setting that chose the component; options of lower rank were for another one
  int named = rank_default;  // of the last setting that named the slot
  bool by_user = false;
  std::string off{};     // why the slot is not part of the run; "": it is
  bool removed = false;  // by a setting of its own

  std::string key() const { return group == "model" || group == "data" ? group : group + "." + name; }
  const ComponentSchema& schema() const { return *found.component; }
};

struct Composition {
  std::vector<Slot> slots;            // model, data, then callbacks and loggers in the order of their first naming
  std::vector<Setting> settings;      // all, with those that model and data recommend, in order of rank
  std::vector<std::string> warnings;  // of components named by default or recommended that are not there
  std::vector<std::string> instance_names(const std::string& group) const;
  Slot* find(const std::string& key);  // "model", "callback.best"
  const Slot* find(const std::string& key) const;
};

// Looks at the settings that name components only. Throws what ComponentSource::find throws, with the setting's origin,
// for a component that the user named.
// recommendations: what model and data recommend counts.
Composition compose(std::vector<Setting> settings, ComponentSource& source, bool recommendations = true);

// Instances that are there by default give way to those that the user names: of the same component, of one that serves
// the same trainer flag, and any logger to the user's loggers. Marks them as off.
void let_defaults_give_way(Composition& composition);

// The order in which callbacks are made and called: those that the user names, those that his flags ask for, and those
// that are there by default, each in the order of their naming.
void sort_by_choice(Composition& composition);

uint32_t kind_of_group(const std::string& group);  // 0: not a group of components

}  // namespace levin::core
