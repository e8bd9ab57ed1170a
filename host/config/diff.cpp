#include <algorithm>
#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "host/cli/command_line.hpp"
#include "host/commands/command_line_run.hpp"
#include "host/compose/changed_values.hpp"
#include "host/compose/saved_run.hpp"
#include "host/config/verbs.hpp"
#include "host/config_files/config_layers.hpp"

namespace levin::core::config {
namespace {

using nlohmann::json;

// The two sides: the layers of each file, or the saved run.
struct ComparedConfig {
  std::string name;
  std::vector<ConfigLayer> layers;

  bool is_run() const { return is_run_config(layers.back().document.value); }
  bool names_model() const {
    return is_run() || std::any_of(layers.begin(), layers.end(), [](const ConfigLayer& layer) {
             const json& value = layer.document.value;
             return value.is_object() && value.contains("model");
           });
  }
};

ComparedConfig read_compared(const std::string& name, const EarlyOptions& early) {
  const std::string file = config_file_of(name);
  return {name, with_profiles(read_config_files({file}), early.profiles)};
}

json values_of(const RunConfig& config) {
  json out = json::object();
  for (const Setting& setting : settings_from_run(config)) out[setting.key] = setting.value;
  for (const std::string& secret : config.secrets) out[secret] = "a secret";
  out["ckpt_path"] = config.ckpt_path ? json(*config.ckpt_path) : json(nullptr);
  return out;
}

// Returns the values as the files have them, for files that are parts of a configuration.
json written_values(const ComparedConfig& compared) {
  json out = json::object();
  for (const ConfigLayer& layer : compared.layers)
    for (const Setting& setting : settings_from_config(layer.document, layer.name, rank_file))
      out[setting.key] = setting.value;
  return out;
}

json resolved_values(const ComparedConfig& compared, const std::vector<std::string>& options) {
  const ConfigLayer& last = compared.layers.back();
  if (compared.is_run()) return values_of(run_config_from_json(last.document.value, last.name));
  json out;
  with_run(Command::run, run_arguments_of({compared.name}, options), [&out](const BuiltRun& run) {
    out = values_of(run.config);
    return 0;
  });
  return out;
}

}  // namespace

int diff(const ConfigArguments& arguments) {
  if (arguments.names.size() != 2)
    throw Error(ErrorCode::argument_missing,
                "host config diff: name two files or run folders; usage: host config diff A B");
  const EarlyOptions early = read_early_options(arguments.options);
  const ComparedConfig a = read_compared(arguments.names[0], early), b = read_compared(arguments.names[1], early);
  const bool model_given = std::any_of(early.components.begin(), early.components.end(),
                                       [](const Setting& setting) { return setting.key == "model"; });
  const bool whole = model_given || (a.names_model() && b.names_model());
  const json values = whole
                          ? changed_values(resolved_values(a, arguments.options), resolved_values(b, arguments.options))
                          : changed_values(written_values(a), written_values(b));
  if (arguments.has("json")) {
    const json answer = {{"first", a.name}, {"second", b.name}, {"whole", whole}, {"values", values}};
    std::printf("%s\n", answer.dump(2, ' ', false, json::error_handler_t::replace).c_str());
    return 0;
  }
  if (!whole) std::puts("not both name a model: only values that are written in the files are compared");
  std::printf("%zu %s\n", values.size(), values.size() == 1 ? "value differs" : "values differ");
  for (const auto& item : values.items())
    std::printf("  %s: %s -> %s\n", printable(item.key()).c_str(),
                printable(changed_text(item.value(), "first")).c_str(),
                printable(changed_text(item.value(), "second")).c_str());
  return 0;
}

}  // namespace levin::core::config
