#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "host/cli/arguments.hpp"
#include "host/commands/command_line_run.hpp"
#include "host/config/option_schema.hpp"
#include "host/config/verbs.hpp"
#include "host/config_files/lightning_cli.hpp"

namespace levin::core::config {
namespace {

using nlohmann::json;
using Strings = std::vector<std::string>;

json reference(const std::string& name) { return {{"$ref", "#/definitions/" + name}}; }
json any_of(std::vector<json> schemas) { return {{"anyOf", std::move(schemas)}}; }
json null_schema() { return {{"type", "null"}}; }

// Adds the option by its present and former names.
void add_option(json& properties, const OptionSchema& option) {
  const json schema = schema_of(option);
  if (!properties.contains(option.name)) properties[option.name] = schema;
  for (const std::string& alias : option.aliases)
    if (!properties.contains(alias)) {
      properties[alias] = schema;
      properties[alias]["deprecated"] = true;
      properties[alias]["description"] = "now called " + option.name;
    }
}

class SchemaOfFiles {
 public:
  explicit SchemaOfFiles(ComponentSource& source) : source_(source) {}

  json build() {
    for (const char* group : {"model", "data", "callback", "logger"}) components_[group] = named_components(group);
    json members = {{"model", single("model")},
                    {"data", any_of({single("data"), null_schema()})},
                    {"callback", instances("callback")},
                    {"logger", {{"anyOf", {{{"type", "boolean"}}, instances("logger")}}}},
                    {"trainer", trainer()},
                    {"ckpt_path", {{"type", {"string", "null"}}, {"description", "best, last or a checkpoint file"}}}};
    members["seed_everything"] = members["trainer"]["properties"]["seed_everything"];
    for (const auto& item : members["trainer"]["properties"].items()) members["trainer." + item.key()] = item.value();
    add_lightning(members);
    const json dotted = {{"^(model|data|callback|logger)[.]", json::object()}};
    definitions_["settings"] = {
        {"type", "object"}, {"properties", members}, {"patternProperties", dotted}, {"additionalProperties", false}};
    members["$schema"] = {{"type", "string"}};
    members["include"] = {{"type", {"string", "array"}},
                          {"items", {{"type", "string"}}},
                          {"description", "files that this file overrides; relative to its folder"}};
    members["profiles"] = {{"type", "object"},
                           {"additionalProperties", reference("settings")},
                           {"description", "configurations that --profile NAME applies above all files"}};
    return {{"$schema", "http://json-schema.org/draft-07/schema#"},
            {"title", "configuration of a run of Levin's host"},
            {"type", "object"},
            {"properties", members},
            {"patternProperties", dotted},
            {"additionalProperties", false},
            {"definitions", definitions_}};
  }

 private:
  // What files of LightningCLI have more (levin_form): classes of Python, and null for what the host does not have.
  void add_lightning(json& members) {
    definitions_["class"] = {
        {"type", "object"},
        {"description", "a Python class of a file for LightningCLI"},
        {"properties", {{"class_path", {{"type", "string"}}}, {"init_args", {{"type", {"object", "null"}}}}}},
        {"required", {"class_path"}},
        {"additionalProperties", false}};
    const json one = reference("class"), list = {{"type", "array"}, {"items", one}};
    for (const char* const* key = arguments_of_lightning_commands; *key != nullptr; ++key)
      members[*key] = null_schema();
    for (const char* part : {"optimizer", "lr_scheduler"}) members[part] = any_of({one, null_schema()});
    json& trainer = members["trainer"];
    for (const char* part : {"profiler", "strategy", "logger"})
      if (json& options = trainer["properties"]; options.contains(part)) options[part] = any_of({options[part], one});
    trainer["properties"]["logger"] = any_of({trainer["properties"]["logger"], list});
    trainer["properties"]["callbacks"] = any_of({one, list, null_schema()});
    trainer["additionalProperties"] = null_schema();
  }

  struct NamedComponent {
    const ComponentSchema* component;
    Strings names;  // all names that mean this component alone; the first is the shortest
  };

  std::vector<NamedComponent> named_components(const std::string& group) {
    const std::vector<FoundComponent> found = source_.all(kind_of_group(group));
    std::map<std::string, int> uses;
    for (const FoundComponent& each : found) {
      ++uses[each.component->id];
      for (const std::string& alias : each.component->aliases) ++uses[alias];
    }
    std::vector<NamedComponent> out;
    for (const FoundComponent& each : found) {
      const ComponentSchema& component = *each.component;
      NamedComponent named{&component, {}};
      for (const std::string& name : with_first(component.id, component.aliases))
        if (uses[name] == 1) named.names.push_back(name);
      named.names.push_back(component.full_name());
      for (const std::string& file : {each.file, std::filesystem::path(each.file).filename().string()})
        named.names.push_back(file + ":" + component.id);
      const std::string definition = group + "." + component.full_name();
      definitions_[definition] = options_of(group, component);
      out.push_back(std::move(named));
    }
    return out;
  }

  static Strings with_first(const std::string& first, const Strings& others) {
    Strings out = {first};
    out.insert(out.end(), others.begin(), others.end());
    return out;
  }

  // Returns the object of a component's options.
  static json options_of(const std::string& group, const ComponentSchema& component) {
    json properties = {{"component", {{"type", "string"}}}};
    for (const OptionSchema& option : component.options) add_option(properties, option);
    for (const OptionSchema* option : options_of_host(group)) add_option(properties, *option);
    json out = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!component.summary.empty()) out["description"] = component.summary;
    return out;
  }

  json name_schema(const std::string& group) const {
    json names = json::array();
    for (const NamedComponent& named : components_.at(group)) names.push_back(named.names.front());
    return {{"anyOf", {{{"enum", names}}, {{"type", "string"}}}},
            {"description", "a component, a plugin file, FILE.so:ID or PLUGIN-ID:ID"}};
  }

  // An object with "component" has the options of that component, if it is a known one.
  json object_of(const std::string& group) const {
    json cases = json::array();
    for (const NamedComponent& named : components_.at(group))
      cases.push_back({{"if", {{"properties", {{"component", {{"enum", named.names}}}}}, {"required", {"component"}}}},
                       {"then", reference(group + "." + named.component->full_name())}});
    json out = {{"type", "object"}, {"properties", {{"component", name_schema(group)}}}};
    if (!cases.empty()) out["allOf"] = cases;
    return out;
  }

  json single(const std::string& group) const { return {{"anyOf", {name_schema(group), object_of(group)}}}; }

  // Without "component" an instance is the component with its name, or one that another file defines.
  json instances(const std::string& group) {
    const json others = {{"type", {"string", "boolean", "null"}}};
    definitions_[group] = {{"anyOf", {others, object_of(group)}}};
    json properties = json::object();
    for (const NamedComponent& named : components_.at(group)) {
      const json own = {{"if", {{"required", {"component"}}}},
                        {"then", object_of(group)},
                        {"else", reference(group + "." + named.component->full_name())}};
      for (const std::string& name : named.names)
        if (is_name(name)) properties[name] = {{"anyOf", {others, {{"type", "object"}, {"allOf", {own}}}}}};
    }
    return {{"anyOf",
             {{{"type", {"string", "null"}}},
              {{"type", "object"}, {"properties", properties}, {"additionalProperties", reference(group)}}}}};
  }

  json trainer() {
    json properties = json::object();
    for (const TrainerOption& option : trainer_options()) properties[option.schema.name] = schema_of(option);
    const Claims claims = find_claims({}, source_);
    for (const auto& [name, list] : claims) add_option(properties, claimed_option(list));
    return {{"type", {"object", "null"}}, {"properties", properties}, {"additionalProperties", false}};
  }

  ComponentSource& source_;
  std::map<std::string, std::vector<NamedComponent>> components_;
  json definitions_ = json::object();
};

}  // namespace

int schema(const ConfigArguments& arguments) {
  if (!arguments.names.empty())
    throw Error(ErrorCode::argument_unexpected, "host config schema: unexpected argument '" + arguments.names[0] + "'");
  read_arguments({"config schema", {"trust"}, {"plugins"}}, arguments.options);
  const auto output =
      arguments.has("output") ? output_file(arguments.own.at("output"), arguments.has("force"), "--output") : "";
  CommandLineRun run(Command::run, arguments.options, read_early_options(arguments.options), {});
  const std::string text =
      SchemaOfFiles(run.source()).build().dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  if (arguments.has("output")) {
    write_file_durable(output, text);
    return 0;
  }
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace levin::core::config
