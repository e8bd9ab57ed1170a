#include "host/launcher/restart.hpp"

#include <filesystem>
#include <map>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"

namespace levin::core {
namespace {

// The options as the run saved them: a seed that was drawn and values that tuners found are among them. The values of
// secrets were not saved.
void take_options(ComponentConfig& component, const ComponentConfig& saved) {
  if (saved.component == component.component) component.options.update(saved.options);
}

void take_options(std::vector<ComponentConfig>& components, const std::vector<ComponentConfig>& saved) {
  for (size_t i = 0; i < components.size() && i < saved.size(); ++i) take_options(components[i], saved[i]);
}

void take_saved(RunConfig& config, const RunConfig& saved) {
  config.trainer = saved.trainer;
  config.loader = saved.loader;
  take_options(config.model, saved.model);
  if (config.data && saved.data) take_options(*config.data, *saved.data);
  take_options(config.callbacks, saved.callbacks);
  take_options(config.loggers, saved.loggers);
}

}  // namespace

bool may_restart(const WorldEnd& end) {
  if (!end.cause || end.asked_to_stop) return false;
  for (const ErrorKind kind :
       {ErrorKind::usage, ErrorKind::plugin, ErrorKind::data, ErrorKind::checkpoint, ErrorKind::non_finite})
    if (end.cause->code == static_cast<int>(kind)) return false;
  return true;
}

// A new run in an old folder puts the old index aside, and a resumed one is asked only where it has to tell its own
// checkpoints from the one that it was told to start from.
bool has_checkpoint(const RunConfig& begun, const WorldEnd& end) {
  if (end.saved || end.run_folder.empty()) return end.saved;
  std::error_code unknown;
  const bool seen = std::filesystem::exists(std::filesystem::path(end.run_folder) / "checkpoints/index.json", unknown);
  return seen && !(begun.resume && begun.ckpt_path);
}

RunConfig restarted(RunConfig config, const WorldEnd& end) {
  const std::string file = (std::filesystem::path(end.run_folder) / "config.json").string();
  std::error_code unknown;
  // What trains nothing is done again from its beginning, and a run that died before it had a folder, too.
  if (end.run_folder.empty() || !fits(config.command) || !std::filesystem::exists(file, unknown)) return config;
  take_saved(config, run_config_from_json(parse_json(read_file(file), file), file));
  config.resume = end.run_folder;
  // Without a checkpoint of its own the run starts from the one it started from before, in the same folder.
  if (end.saved) config.ckpt_path.reset(), config.ckpt_run.reset();
  return config;
}

}  // namespace levin::core
