#include "host/compose/claims.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

void add_claims(Claims& out, const FoundComponent& found, const std::string& group) {
  for (const auto& claim : found.component->claims) {
    auto& list = out[claim.name];
    const bool known =
        std::any_of(list.begin(), list.end(), [&](const Claim& c) { return same_component(c.by, found); });
    // One name has one meaning: that of the first who claims it.
    const bool same_meaning = list.empty() || list[0].option.empty() == claim.option.empty();
    if (!known && same_meaning) list.push_back({claim.name, claim.option, claim.help, found, group});
  }
}

bool is_of(const Slot& slot, const Claim& claim) { return same_component(slot.found, claim.by); }

Slot* find_instance(Composition& composition, const Claim& claim) {
  Slot* first = nullptr;
  for (auto& slot : composition.slots) {
    if (!is_of(slot, claim) || !slot.off.empty()) continue;
    if (slot.name == claim.by.component->id) return &slot;
    if (first == nullptr) first = &slot;
  }
  return first;
}

Slot& add_instance(Composition& composition, const Claim& claim, const Setting& setting) {
  const std::string& id = claim.by.component->id;
  if (Slot* slot = composition.find(claim.group + "." + id); slot != nullptr && is_of(*slot, claim)) {
    slot->off.clear();
    slot->removed = false;
    return *slot;
  }
  composition.slots.push_back({claim.group, id, id, claim.by, setting.origin, setting.rank, setting.rank});
  return composition.slots.back();
}

}  // namespace

Claims find_claims(const Composition& composition, ComponentSource& source) {
  Claims claims;
  for (const auto& slot : composition.slots) add_claims(claims, slot.found, slot.group);
  for (const char* group : {"callback", "logger"}) {
    for (const auto& found : source.all(kind_of_group(group))) add_claims(claims, found, group);
  }
  return claims;
}

OptionSchema claimed_option(const std::vector<Claim>& claims) {
  const Claim& claim = claims.front();
  OptionSchema option;
  option.type = LEVIN_T_BOOL;
  for (const auto& candidate : claim.by.component->options) {
    if (!claim.option.empty() && candidate.name == claim.option) option = candidate;
  }
  option.name = claim.name;
  option.flags = (option.flags | LEVIN_OPT_NULLABLE) & ~LEVIN_OPT_REQUIRED;
  option.deflt = nullptr;
  option.help = claim.help;
  return option;
}

void apply_switch(Composition& composition, const std::vector<Claim>& claims, const Setting& setting, bool on) {
  for (auto& slot : composition.slots) {
    const bool claimed = std::any_of(claims.begin(), claims.end(), [&](const Claim& c) { return is_of(slot, c); });
    if (!claimed || !slot.off.empty()) continue;
    if (on) return;
    if (slot.by_user) {
      throw Error(ErrorKind::usage, setting.origin + ": " + setting.key + "=false, but " + slot.key() + " (" +
                                        slot.schema().id + ") is asked for by " + slot.origin +
                                        "; leave one of them out");
    }
    slot.off = setting.key + "=false";
  }
  if (on) add_instance(composition, claims.front(), setting);
}

void apply_option(Composition& composition, const std::vector<Claim>& claims, const Setting& setting) {
  const Claim& claim = claims.front();
  Slot* slot = find_instance(composition, claim);
  if (slot == nullptr) slot = &add_instance(composition, claim, setting);
  Setting moved = setting;
  moved.key = slot->key() + "." + claim.option;
  moved.rank = std::max(moved.rank, slot->rank);
  for (const auto& other : composition.settings) {
    if (other.key != moved.key || !other.by_user() || other.value == moved.value) continue;
    throw Error(ErrorKind::usage, setting.origin + ": " + setting.key + " and " + other.origin + " give " + moved.key +
                                      " two values; leave one of them out");
  }
  composition.settings.push_back(std::move(moved));
}

}  // namespace levin::core
