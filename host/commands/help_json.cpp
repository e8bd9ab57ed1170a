#include "host/commands/help_json.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/host_options.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "host/cli/commands.hpp"
#include "host/cli/run_arguments.hpp"
#include "host/commands/help_option.hpp"
#include "sdk/include/levin/util/metric_table.hpp"
#include "sdk/include/levin/util/transform_table.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

json described(const std::string& prefix, const OptionSchema& option, const std::string& type) {
  json out{{"option", prefix + option.name},
           {"type", type},
           {"required", (option.flags & LEVIN_OPT_REQUIRED) != 0},
           {"default", option.deflt},
           {"help", option.help}};
  if (!option.choices.empty()) out["choices"] = option.choices;
  if (!option.aliases.empty()) out["formerly"] = option.aliases;
  if (!option.deprecated.empty()) out["deprecated"] = option.deprecated;
  return out;
}

json described(const ComponentSchema& component) {
  json options = json::array(), serves = json::array();
  for (const OptionSchema& option : component.options)
    options.push_back(described(option_prefix(component), option, describe_type(option)));
  for (const ClaimSchema& claim : component.claims)
    serves.push_back({{"option", "--trainer." + claim.name}, {"help", claim.help}});
  return {{"kind", kind_name(component.kind)},
          {"id", component.id},
          {"name", component.full_name()},
          {"version", component.version},
          {"summary", component.summary},
          {"options", options},
          {"serves", serves},
          {"recommends", component.defaults}};
}

json described(const char* kind, const OptimSpec& spec) {
  json options = json::array();
  for (const OptionSchema& option : spec.options) options.push_back(described("", option, describe_type(option)));
  return {{"kind", kind}, {"id", spec.id}, {"class", spec.class_name}, {"summary", spec.summary}, {"options", options}};
}

json described(const HostCommand& command) {
  return {{"command", command.name}, {"summary", command.summary}, {"usage", command.usage}, {"help", command.help}};
}

json trainer_help() {
  json out = json::array();
  for (const TrainerOption& option : trainer_options()) {
    out.push_back(described("--trainer.", option.schema, describe_type(option)));
    out.back()["group"] = option.group;
  }
  return out;
}

json loader_help() {
  json out = json::array();
  for (const LoaderOption& option : loader_options())
    out.push_back(described("--data.", option.schema, describe_type(option.schema)));
  return out;
}

json weights_help() {
  json out = json::array();
  for (const OptionSchema& option : weight_options())
    out.push_back(described("--model.", option, describe_type(option)));
  return out;
}

json table_help(const char* kind, const std::vector<OptimSpec>& table) {
  json out = json::array();
  for (const OptimSpec& spec : table) out.push_back(described(kind, spec));
  return out;
}

// name: "" = all metrics.
json metrics_help(const std::string& name = "") {
  json out = json::array();
  for (const metrics::MetricFamily& family : metrics::metric_families())
    for (const metrics::MetricRow& row : family.rows)
      if (name.empty() || name == row.name)
        out.push_back({{"kind", "metric"},
                       {"id", row.name},
                       {"of", family.name},
                       {"arguments", row.arguments},
                       {"summary", row.summary}});
  return out;
}

json transforms_help(const std::string& name = "") {
  json out = json::array();
  for (const images::TransformFamily& family : images::transform_families())
    for (const images::TransformRow& row : family.rows)
      if (name.empty() || name == row.name)
        out.push_back({{"kind", "transform"},
                       {"id", row.name},
                       {"of", family.name},
                       {"arguments", row.arguments},
                       {"summary", row.summary}});
  return out;
}

json file_help(const PluginFile& file) {
  require_usable(file.problem);
  json out = json::array();
  for (const ComponentSchema& component : file.schema.components) {
    out.push_back(described(component));
    out.back()["file"] = file.path.string();
  }
  return out;
}

// The options that every run has.
json run_help() {
  json out = json::array();
  for (const RunArgument& argument : run_arguments())
    if (argument.name[0] != '\0')
      out.push_back(
          {{"option", std::string("--") + argument.name}, {"value", argument.value}, {"help", argument.help}});
  return out;
}

// Adds the options of this name, with or without the group before it: "max_epochs", "trainer.max_epochs".
void add_named(const json& options, const std::string& name, json& out) {
  for (const json& option : options) {
    const std::string text = option.at("option");
    if (text == "--" + name || ends_with(text, "." + name)) out.push_back(option);
  }
}

json named(PluginIndex& index, const std::string& name) {
  json out = json::array();
  if (const OptimSpec* spec = find_spec(optimizer_table(), name)) out.push_back(described("optimizer", *spec));
  if (const OptimSpec* spec = find_spec(schedule_table(), name)) out.push_back(described("schedule", *spec));
  for (const PluginFile& file : index.files())
    for (const ComponentSchema& component : file.schema.components) {
      if (!component.answers_to(name)) continue;
      out.push_back(described(component));
      out.back()["file"] = file.path.string();
    }
  if (!out.empty()) return out;
  // Some options have the name of a metric or a transform.
  out = metrics_help(name);
  for (json& transform : transforms_help(name)) out.push_back(std::move(transform));
  for (const json& options : {run_help(), trainer_help(), loader_help(), weights_help()}) add_named(options, name, out);
  for (const PluginFile& file : index.files())
    for (const ComponentSchema& component : file.schema.components) {
      const json all = described(component);
      for (const char* options : {"options", "serves"}) add_named(all.at(options), name, out);
    }
  return out.empty() ? json() : out;
}

}  // namespace

json general_help() {
  json commands = json::array();
  for (const HostCommand& command : host_commands())
    if (command.is_typed()) commands.push_back(described(command));
  return {{"commands", commands}, {"options", run_help()}};
}

json help_about(PluginIndex& index, const std::string& what) {
  if (what == "trainer") return trainer_help();
  if (what == "data") return loader_help();
  if (what == "model") return weights_help();
  if (what == "metrics") return metrics_help();
  if (what == "transforms") return transforms_help();
  if (what == "schedules") return table_help("schedule", schedule_table());
  if (what == "optimizers") {
    json out = table_help("optimizer", optimizer_table());
    for (const PluginFile& file : index.files())
      for (const ComponentSchema& component : file.schema.components)
        if (component.kind == LEVIN_KIND_OPTIMIZER) out.push_back(described(component));
    return out;
  }
  if (const HostCommand* command = find_command(what)) return json::array({described(*command)});
  const bool file = what.find('/') != std::string::npos || ends_with(what, ".so");
  return file ? file_help(index.file(what)) : named(index, what);
}

}  // namespace levin::core
