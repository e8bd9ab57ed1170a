#include "host/commands/help_option.hpp"
#include "core/plugin/more_plugins.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "core/base/did_you_mean.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/host_options.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "host/cli/embedded.hpp"
#include "host/cli/run_arguments.hpp"

namespace levin::core {
namespace {

// A table and the usage of its entries: plan.optimizer("adamw", ...), --model.optimizer adamw.
const struct Topic {
  const char *kind, *call;
  const std::vector<OptimSpec>& (*table)();
} topics[] = {{"optimizer", "optimizer", optimizer_table}, {"schedule", "scheduler", schedule_table}};

// Returns the C++ code with which a model adds the entry.
std::string call_of(const Topic& topic, const OptimSpec& spec) {
  const std::string name = "\"" + spec.id + "\"", add = std::string("plan.") + topic.call;
  switch (spec.needs) {
    case Needs::function:
      return "plan.add(desc), with the function in desc.factor (docs/optimizers.md)";
    case Needs::metric:
      return add + "(" + name + ", {{\"NAME\", value}}, levin::Interval::epoch, 0, \"val_loss\")";
    case Needs::schedules:
      return add + "_json(" + name + ", \"{...}\"), with the options as JSON text";
    default:
      return add + "(" + name + ", {{\"NAME\", value}})";
  }
}

void print_spec(const Topic& topic, const OptimSpec& spec) {
  std::printf("%s %s, also called %s\n%s\n", topic.kind, spec.id.c_str(), spec.class_name.c_str(),
              spec.summary.c_str());
  std::printf("In a model: %s\n", call_of(topic, spec).c_str());
  if (spec.needs != Needs::function)
    std::printf("With a classifier or regressor: --model.%s %s --model.%s_options '{\"NAME\": VALUE}'\n", topic.call,
                spec.id.c_str(), topic.call);
  std::printf(spec.options.empty() ? "It has no options.\n" : "\n");
  for (const OptionSchema& option : spec.options) print_option("", option, describe_type(option));
}

void print_line(const std::string& name, const std::string& summary) {
  std::printf("  %s\n      %s\n", name.c_str(), summary.c_str());
}

void print_table(const char* title, const std::vector<OptimSpec>& table) {
  std::printf("%s\n", title);
  for (const OptimSpec& spec : table) print_line(spec.id, spec.summary);
}

void print_run_argument(const RunArgument& argument) {
  std::printf("  %s\n      %s\n", argument.shown().c_str(), join(split(argument.help, '\n'), "\n      ").c_str());
}

// configured: the end of the text on the default.
void print_with_default(const std::string& prefix, const OptionSchema& option, const std::string& type,
                        const std::string& configured) {
  std::string deflt = option.flags & LEVIN_OPT_REQUIRED ? "required" : "default " + option.deflt.dump();
  deflt += configured;
  if (option.flags & LEVIN_OPT_SECRET) deflt += ", secret";
  std::printf("  %s%s\n      %s (%s)\n", prefix.c_str(), option.name.c_str(), type.c_str(), deflt.c_str());
  if (!option.help.empty()) std::printf("      %s\n", option.help.c_str());
  if (!option.aliases.empty()) std::printf("      formerly %s\n", join(option.aliases, ", ").c_str());
  if (!option.deprecated.empty()) std::printf("      deprecated: %s\n", option.deprecated.c_str());
}

}  // namespace

void print_option(const std::string& prefix, const OptionSchema& option, const std::string& type) {
  print_with_default(prefix, option, type, "");
}

void print_option_of(const ComponentSchema& component, const OptionSchema& option) {
  using nlohmann::json;
  static const json defaults = parse_json(default_config_text, "default.json", ErrorCode::internal_error);
  const json instance = defaults.value(kind_name(component.kind), json::object()).value(component.id, json());
  std::string configured;
  if (instance.is_object() && instance.at("component") == component.full_name())
    if (const json value = instance.value(option.name, option.deflt); value != option.deflt)
      configured = "; the default configuration sets " + value.dump();
  print_with_default(option_prefix(component), option, describe_type(option), configured);
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
  for (const RunArgument& argument : run_arguments()) {
    OptionSchema option;
    option.name = argument.name;
    if (!option.name.empty() && is_called("run", option)) print_run_argument(argument);
  }
  for (const auto& option : trainer_options())
    if (is_called("trainer", option.schema)) print_option("--trainer.", option.schema, describe_type(option));
  for (const auto& option : loader_options())
    if (is_called("data", option.schema)) print_option("--data.", option.schema, describe_type(option.schema));
  for (const OptionSchema& option : weight_options())
    if (is_called("model", option)) print_option("--model.", option, describe_type(option));
  for (const auto& file : index.files())
    for (const auto& component : file.schema.components) print_of(component);
  return found_;
}

void OptionsNamed::print_of(const ComponentSchema& component) {
  const std::string kind = kind_name(component.kind);
  for (const auto& option : component.options) {
    if (!is_called(kind, option)) continue;
    std::printf("%s %s\n", kind.c_str(), component.id.c_str());
    print_option_of(component, option);
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

int print_schedules() {
  print_table("Learning-rate schedules", schedule_table());
  std::printf("\nThe options of one: host help NAME\n");
  return 0;
}

int print_optimizers(PluginIndex& index) {
  print_table("Built-in optimizers", optimizer_table());
  bool first = true;
  for (const PluginFile& file : index.files())
    for (const ComponentSchema& component : file.schema.components) {
      if (component.kind != LEVIN_KIND_OPTIMIZER) continue;
      if (first) std::printf("\nOptimizers of plugins\n");
      first = false;
      print_line(component.full_name(), component.summary);
    }
  std::printf("\nThe options of one: host help NAME\n");
  return 0;
}

int print_built_in_optim(const std::string& name) {
  int found = 0;
  for (const Topic& topic : topics) {
    const OptimSpec* spec = find_spec(topic.table(), name);
    if (spec == nullptr) continue;
    if (found++ != 0) std::printf("\n");
    print_spec(topic, *spec);
  }
  return found;
}

std::vector<std::string> built_in_optim_ids() {
  std::vector<std::string> ids;
  for (const Topic& topic : topics)
    for (const std::string& id : spec_ids(topic.table())) ids.push_back(id);
  return ids;
}

std::string help_hint(const std::string& word, const std::vector<std::string>& ids,
                      const std::vector<std::string>& options) {
  if (const std::string missing = how_to_get(word); !missing.empty()) return missing;
  constexpr size_t most = 12;
  std::string part = word;
  std::replace(part.begin(), part.end(), ' ', '_');
  if (part.size() > 3 && part.back() == 's') part.pop_back();
  std::set<std::string> found;
  for (const auto* names : {&ids, &options})
    for (const std::string& name : *names)
      if (part.size() > 2 && name.find(part) != std::string::npos) found.insert(name);
  if (found.size() > 1 && found.size() <= most) return did_you_mean_one_of({found.begin(), found.end()});
  const bool is_option = !nearest(word, ids) && nearest(word, options);
  const std::string near = is_option ? did_you_mean(word, options) : did_you_mean(word, ids, 40);
  return near.empty() ? "; host plugins lists the components, host help trainer the options of the Trainer" : near;
}

}  // namespace levin::core
