#include "host/commands/help_option.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/loader_options.hpp"
#include "core/config/trainer/trainer_options.hpp"

namespace levin::core {

void print_option(const std::string& prefix, const OptionSchema& option, const std::string& type) {
  std::string deflt = option.flags & LEVIN_OPT_REQUIRED ? "required" : "default " + option.deflt.dump();
  if (option.flags & LEVIN_OPT_SECRET) deflt += ", secret";
  std::printf("  %s%s\n      %s (%s)\n", prefix.c_str(), option.name.c_str(), type.c_str(), deflt.c_str());
  if (!option.help.empty()) std::printf("      %s\n", option.help.c_str());
  if (!option.aliases.empty()) std::printf("      formerly %s\n", join(option.aliases, ", ").c_str());
  if (!option.deprecated.empty()) std::printf("      deprecated: %s\n", option.deprecated.c_str());
}

void print_claim(const ComponentSchema& component, const ClaimSchema& claim) {
  const std::string type =
      claim.option.empty() ? "bool or null" : "as the option '" + claim.option + "' of " + component.id + ", or null";
  std::printf("  --trainer.%s\n      %s (default null, by %s)\n      %s\n", claim.name.c_str(), type.c_str(),
              component.id.c_str(), claim.help.c_str());
}

std::string option_prefix(const ComponentSchema& component) {
  if (component.kind == LEVIN_KIND_OPTIMIZER) return "";
  const bool instance = component.kind == LEVIN_KIND_CALLBACK || component.kind == LEVIN_KIND_LOGGER;
  return std::string("--") + kind_name(component.kind) + "." + (instance ? component.id + "." : "");
}

OptionsNamed::OptionsNamed(std::string name) : name_(std::move(name)) {}

bool OptionsNamed::print(PluginIndex& index) {
  for (const auto& option : trainer_options())
    if (is_called("trainer", option.schema)) print_option("--trainer.", option.schema, describe_type(option));
  for (const auto& option : loader_options())
    if (is_called("data", option.schema)) print_option("--data.", option.schema, describe_type(option.schema));
  for (const auto& file : index.files())
    for (const auto& component : file.schema.components) print_of(component);
  return found_;
}

void OptionsNamed::print_of(const ComponentSchema& component) {
  const std::string kind = kind_name(component.kind);
  for (const auto& option : component.options) {
    if (!is_called(kind, option)) continue;
    std::printf("%s %s\n", kind.c_str(), component.id.c_str());
    print_option(option_prefix(component), option, describe_type(option));
  }
  for (const auto& claim : component.claims) {
    OptionSchema option;
    option.name = claim.name;
    if (find_trainer_option(claim.name) == nullptr && is_called("trainer", option)) print_claim(component, claim);
  }
}

bool OptionsNamed::is_called(const std::string& group, const OptionSchema& option) {
  const auto& aliases = option.aliases;
  const bool called = name_ == option.name || name_ == group + "." + option.name ||
                      std::find(aliases.begin(), aliases.end(), name_) != aliases.end();
  found_ = found_ || called;
  all_.push_back(option.name);
  return called;
}

}  // namespace levin::core
