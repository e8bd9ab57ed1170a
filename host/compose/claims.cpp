#include "host/compose/claims.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "host/compose/component_options.hpp"

namespace levin::core {
namespace {

void add_claims(Claims& out, const FoundComponent& found, const std::string& group) {
  for (const auto& claim : found.component->claims) {
    auto& list = out[claim.name];
    const bool known =
        std::any_of(list.begin(), list.end(), [&](const Claim& c) { return same_component(c.by, found); });
    // The first claim of a name decides if the name is a switch or an option. Claims of the other type are ignored.
    const bool same_meaning = list.empty() || list[0].option.empty() == claim.option.empty();
    if (!known && same_meaning) list.push_back({claim.name, claim.option, claim.help, found, group});
  }
}

bool is_of(const ChosenComponent& chosen, const Claim& claim) { return same_component(chosen.found, claim.by); }

ChosenComponent* find_instance(Composition& composition, const Claim& claim) {
  ChosenComponent* first = nullptr;
  for (auto& chosen : composition.components) {
    if (!is_of(chosen, claim) || !chosen.off.empty()) continue;
    if (chosen.name == claim.by.component->id) return &chosen;
    if (first == nullptr) first = &chosen;
  }
  return first;
}

ChosenComponent& add_instance(Composition& composition, const Claim& claim, const Setting& setting) {
  const std::string& id = claim.by.component->id;
  if (ChosenComponent* chosen = composition.find(claim.group + "." + id); chosen != nullptr && is_of(*chosen, claim)) {
    chosen->off.clear();
    chosen->removed = false;
    return *chosen;
  }
  composition.components.push_back({claim.group, id, id, claim.by, setting.origin, setting.rank, setting.rank});
  return composition.components.back();
}

void switch_off_for_barebones(Composition& composition, const Claims& claims,
                              const std::set<std::string>& true_by_user) {
  for (const auto& [name, list] : claims) {
    if (!list.front().option.empty()) continue;
    if (true_by_user.count(name)) refuse_in_barebones(name, true);
    const Setting off{"trainer." + name, false, "trainer.barebones=true", rank_command_line};
    apply_switch(composition, list, off, false);
  }
}

}  // namespace

Claims find_claims(const Composition& composition, ComponentSource& source) {
  Claims claims;
  for (const auto& chosen : composition.components) add_claims(claims, chosen.found, chosen.group);
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
  for (auto& chosen : composition.components) {
    const bool claimed = std::any_of(claims.begin(), claims.end(), [&](const Claim& c) { return is_of(chosen, c); });
    if (!claimed || !chosen.off.empty()) continue;
    if (on) return;
    if (chosen.by_user) {
      throw Error(ErrorCode::options_conflict, setting.origin + ": " + setting.key + "=false, but " + chosen.key() +
                                                   " (" + chosen.schema().id + ") is requested by " + chosen.origin +
                                                   "; leave one of them out");
    }
    chosen.off = setting.key + "=false";
  }
  if (on) add_instance(composition, claims.front(), setting);
}

void apply_option(Composition& composition, const std::vector<Claim>& claims, const Setting& setting) {
  const Claim& claim = claims.front();
  ChosenComponent* chosen = find_instance(composition, claim);
  if (chosen == nullptr) chosen = &add_instance(composition, claim, setting);
  Setting moved = setting;
  moved.key = chosen->key() + "." + claim.option;
  moved.rank = std::max(moved.rank, chosen->rank);
  for (const auto& other : composition.settings) {
    if (other.key != moved.key || !other.by_user() || other.value == moved.value) continue;
    throw Error(ErrorCode::options_conflict, setting.origin + ": " + setting.key + " and " + other.origin + " give " +
                                                 moved.key + " two values; leave one of them out");
  }
  composition.settings.push_back(std::move(moved));
}

void apply_trainer_switches(Composition& composition, const Claims& claims, const nlohmann::json& trainer,
                            const std::set<std::string>& true_by_user) {
  const bool barebones = truthy(trainer.at("barebones"));
  const Setting* logger = last_setting(composition.settings, "trainer.logger");
  if (barebones) switch_off_for_barebones(composition, claims, true_by_user);
  for (auto& chosen : composition.components) {
    if (!chosen.off.empty()) continue;
    // A logger that the user names in a source of higher rank overrides logger=false.
    const bool asked_for_later = !barebones && chosen.by_user && logger != nullptr && chosen.named > logger->rank;
    const bool no_logger = chosen.group == "logger" && trainer.at("logger") == false && !asked_for_later;
    if (no_logger) chosen.off = "trainer.logger=false";
    const bool trial = truthy(trainer.at("fast_dev_run")) && (chosen.schema().flags & LEVIN_F_OFF_IN_FAST_DEV_RUN);
    if (trial) chosen.off = off_in_fast_dev_run;
  }
}

void refuse_second_instances(const Composition& composition) {
  for (const auto& a : composition.components) {
    if (!a.off.empty() || (a.schema().flags & LEVIN_F_ONE_ONLY) == 0) continue;
    for (const auto& b : composition.components) {
      if (&a == &b || !b.off.empty() || !same_component(a.found, b.found)) continue;
      throw Error(ErrorCode::options_conflict, b.origin + ": a run has at most one " + a.schema().id +
                                                   ", but two are given: " + a.key() + ", " + b.key());
    }
  }
}

}  // namespace levin::core
