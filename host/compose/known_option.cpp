#include "host/compose/known_option.hpp"

namespace levin::core {
namespace {

bool bare(const OptionSchema& schema) {
  return schema.type == LEVIN_T_BOOL || (schema.type == LEVIN_T_JSON && schema.deflt.is_boolean());
}

// Returns true if the claimed option may be given without a value: a switch always, an option if the component's own
// option may.
bool bare(const std::vector<Claim>& claims) {
  const Claim& claim = claims.front();
  if (claim.option.empty()) return true;
  for (const OptionSchema& option : claim.by.component->options)
    if (option.name == claim.option) return bare(option);
  return false;
}

}  // namespace

KnownOptions::KnownOptions(const Composition& composition, const Claims& claims) {
  for (const auto& chosen : composition.components) {
    for (const auto& option : chosen.schema().options) add(chosen.key(), option, bare(option));
  }
  for (const auto& option : loader_options()) add("data", option.schema, bare(option.schema));
  for (const auto& option : weight_options()) add("model", option, false);
  for (const auto& option : trainer_options()) add("trainer", option.schema, bare(option.schema), option.list);
  for (const auto& [name, claim] : claims) add("trainer", claimed_option(claim), bare(claim));
}

void KnownOptions::add(const std::string& group, const OptionSchema& schema, bool alone, bool list) {
  const std::string key = group + "." + schema.name;
  if (!index_.emplace(key, all_.size()).second) return;
  all_.push_back({key, schema, alone, list || schema.type == LEVIN_T_INTS});
  const bool instance = group.find('.') != std::string::npos;
  (instance ? short_of_instances_ : short_)[schema.name].push_back(key);
  for (const auto& alias : schema.aliases) {
    if (!index_.emplace(group + "." + alias, all_.size() - 1).second) continue;
    former_.push_back(group + "." + alias);
    short_former_[alias].push_back(former_.back());
  }
}

const KnownOption* KnownOptions::find(const std::string& key) const {
  const auto found = index_.find(key);
  return found == index_.end() ? nullptr : &all_[found->second];
}

std::vector<std::string> KnownOptions::meanings(const std::string& short_name) const {
  for (const auto* names : {&short_, &short_of_instances_, &short_former_}) {
    const auto found = names->find(short_name);
    if (found != names->end()) return found->second;
  }
  return {};
}

std::vector<std::string> KnownOptions::keys() const {
  std::vector<std::string> out;
  for (const auto& option : all_) out.push_back(option.key);
  return out;
}

}  // namespace levin::core
