#include "host/compose/composition.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/config/schema_check.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// The part of the key that names a component's slot, for a setting that chooses a component; else "".
std::string slot_key(const Setting& s) {
  const std::string group = group_of(s.key);
  if (kind_of_group(group) == 0) return "";
  const std::string rest = after_group(s.key);
  const bool single = group == "model" || group == "data";
  if (single) return rest.empty() ? s.key : "";
  return rest.find('.') == std::string::npos ? s.key : "";
}

Error with_origin(const Setting& s, const Error& e) { return Error(e.kind(), s.origin + ": " + e.what()); }

class Composer {
 public:
  Composer(Composition& out, ComponentSource& source) : out_(out), source_(source) {}

  void apply(const Setting& s) {
    const std::string key = slot_key(s);
    if (key.empty()) return;
    if (s.value.is_null() && group_of(key) == "data") return remove(key);
    if (s.value == false) return switch_off(key, s);
    if (s.value.is_null()) return keep_or_add(key, s);
    if (!s.value.is_string())
      throw Error(ErrorKind::usage, s.origin + ": " + key + ": " + s.value.dump() + " is not a component");
    choose(key, s.value.get<std::string>(), s);
  }

 private:
  void remove(const std::string& key) {
    auto& slots = out_.slots;
    slots.erase(std::remove_if(slots.begin(), slots.end(), [&](const Slot& slot) { return slot.key() == key; }),
                slots.end());
  }

  void switch_off(const std::string& key, const Setting& s) {
    Slot* slot = out_.find(key);
    if (slot == nullptr) throw Error(ErrorKind::usage, s.origin + ": there is no " + key + " to switch off");
    slot->off = s.origin;
    slot->removed = true;
  }

  // Options were given for an instance without saying of which component: the one that is there, or that of its name.
  void keep_or_add(const std::string& key, const Setting& s) {
    if (out_.find(key) == nullptr) choose(key, after_group(key), s);
  }

  void choose(const std::string& key, const std::string& written, const Setting& s) {
    const std::string group = group_of(key);
    const FoundComponent found = look_up(written, kind_of_group(group), s);
    if (found.component == nullptr) return;
    const bool single = group == "model" || group == "data";
    std::string name = after_group(key);
    if (name.empty()) name = found.component->id;
    if (!is_name(name))
      throw Error(ErrorKind::usage,
                  s.origin + ": '" + name + "' cannot be the name of an instance: use letters, digits, _ and -");
    Slot* slot = out_.find(single ? group : group + "." + name);
    Slot chosen{group, name, written, found, s.origin, s.rank, s.rank, s.by_user()};
    if (slot == nullptr) {
      out_.slots.push_back(std::move(chosen));
      return;
    }
    if (!single) refuse_twice(*slot, chosen);
    if (same_component(slot->found, found)) chosen.rank = slot->rank;
    const bool first_time = chosen.by_user && !slot->by_user && !single;
    chosen.by_user = chosen.by_user || slot->by_user;
    *slot = std::move(chosen);
    // What the user names stands where he names it, not where it was by default.
    if (first_time)
      std::rotate(out_.slots.begin() + (slot - out_.slots.data()), out_.slots.begin() + (slot - out_.slots.data()) + 1,
                  out_.slots.end());
  }

  // A later source overrides an earlier one; within one source nobody means the same instance twice.
  static void refuse_twice(const Slot& first, const Slot& second) {
    if (!second.by_user || second.named != first.named || !first.off.empty()) return;
    throw Error(ErrorKind::usage, second.origin + ": two " + second.group + "s are named '" + second.name +
                                      "'; name them: --" + second.group + " a=" + first.written + " --" + second.group +
                                      " b=" + second.written);
  }

  FoundComponent look_up(const std::string& written, uint32_t kind, const Setting& s) {
    try {
      return source_.find(written, kind);
    } catch (const Error& e) {
      if (s.by_user()) throw with_origin(s, e);
      out_.warnings.push_back(s.origin + ": " + e.what());
      return {};
    }
  }

  Composition& out_;
  ComponentSource& source_;
};

void sort_settings(std::vector<Setting>& settings) {
  // Within one source a component comes before its options, however they stand there.
  std::stable_sort(settings.begin(), settings.end(), [](const Setting& a, const Setting& b) {
    return a.rank != b.rank ? a.rank < b.rank : !slot_key(a).empty() && slot_key(b).empty();
  });
}

bool serves_a_flag_of(const ComponentSchema& a, const ComponentSchema& b) {
  for (const auto& claim : a.claims) {
    for (const auto& other : b.claims) {
      if (claim.option.empty() && other.option.empty() && claim.name == other.name) return true;
    }
  }
  return false;
}

bool gives_way(const Slot& slot, const Slot& user) {
  if (user.group != slot.group || !user.off.empty()) return false;
  if (slot.group == "logger") return true;
  return same_component(slot.found, user.found) || serves_a_flag_of(slot.schema(), user.schema());
}

void sort_slots(std::vector<Slot>& slots) {
  const std::vector<std::string> order = {"model", "data", "callback", "logger"};
  const auto position = [&](const Slot& s) { return std::find(order.begin(), order.end(), s.group) - order.begin(); };
  std::stable_sort(slots.begin(), slots.end(), [&](const Slot& a, const Slot& b) { return position(a) < position(b); });
}

// What the user names comes first, then what his flags ask for, then what is there by default.
int place_in_order(const Slot& slot) { return slot.by_user ? 0 : slot.rank >= rank_file ? 1 : 2; }

}  // namespace

void sort_by_choice(Composition& composition) {
  std::stable_sort(composition.slots.begin(), composition.slots.end(),
                   [](const Slot& a, const Slot& b) { return place_in_order(a) < place_in_order(b); });
}

uint32_t kind_of_group(const std::string& group) {
  if (group == "model") return LEVIN_KIND_MODEL;
  if (group == "data") return LEVIN_KIND_DATA;
  if (group == "callback") return LEVIN_KIND_CALLBACK;
  return group == "logger" ? LEVIN_KIND_LOGGER : 0;
}

const Slot* Composition::find(const std::string& key) const {
  for (const auto& slot : slots) {
    if (slot.key() == key) return &slot;
  }
  return nullptr;
}

Slot* Composition::find(const std::string& key) { return const_cast<Slot*>(std::as_const(*this).find(key)); }

std::vector<std::string> Composition::instance_names(const std::string& group) const {
  std::vector<std::string> names;
  for (const auto& slot : slots) {
    if (slot.group == group) names.push_back(slot.name);
  }
  return names;
}

Composition compose(std::vector<Setting> settings, ComponentSource& source, bool recommendations) {
  sort_settings(settings);
  Composition chosen;  // model and data first: what they recommend ranks below every file
  for (const auto& s : settings) {
    const std::string group = group_of(s.key);
    if (group == "model" || group == "data") Composer(chosen, source).apply(s);
  }
  for (const char* group : {"model", "data"}) {
    const Slot* slot = chosen.find(group);
    if (slot == nullptr || !recommendations) continue;
    for (auto& s : settings_from_defaults(slot->schema().defaults, slot->schema().id)) settings.push_back(std::move(s));
  }
  sort_settings(settings);
  Composition out;
  for (const auto& s : settings) Composer(out, source).apply(s);
  sort_slots(out.slots);
  out.settings = std::move(settings);
  return out;
}

void let_defaults_give_way(Composition& composition) {
  for (auto& slot : composition.slots) {
    if (slot.by_user || kind_of_group(slot.group) == 0 || slot.group == "model" || slot.group == "data") continue;
    for (const auto& user : composition.slots) {
      if (user.by_user && gives_way(slot, user)) slot.off = "in favour of " + user.key();
    }
  }
}

}  // namespace levin::core
