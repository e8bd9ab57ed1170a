#include "core/trainer/assembly/run_services.hpp"

#include "core/base/environment.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

RunTexts texts_of(const RunSettings& settings, const RunOutput& output) {
  const RunConfig& config = settings.config;
  RunTexts texts;
  texts.model = config.model.component;
  if (config.data) texts.data = config.data->component;
  const auto note = [&](const std::string& group, const ComponentConfig& c) {
    for (const std::string& option : c.given) {
      const std::string key = group + "." + option;
      const auto origin = config.origins.find(key);
      texts.origins[key] = origin == config.origins.end() ? "given" : origin->second;
    }
  };
  for (const auto& [key, origin] : config.origins)
    if (starts_with(key, "trainer.")) texts.origins[key] = origin;
  for (const std::string& option : config.loader_given) {
    const auto origin = config.origins.find("data." + option);
    texts.origins["data." + option] = origin == config.origins.end() ? "given" : origin->second;
  }
  if (has_threads_of_user(environment_variables())) texts.origins.emplace("trainer.num_threads", "OMP_NUM_THREADS");
  note("model", config.model);
  if (config.data) note("data", *config.data);
  for (const ComponentConfig& c : config.callbacks) note("callback." + c.name, c);
  for (const ComponentConfig& c : config.loggers) note("logger." + c.name, c);
  texts.config = to_json_without_secrets(config).dump();
  texts.default_root_dir = settings.plan.names.default_root_dir;
  if (!output.folder) return texts;
  texts.run_dir = output.folder->path().string();
  texts.run_id = output.folder->id();
  return texts;
}

}  // namespace

RunServices::RunServices(levin_run& run, RunSettings& settings, RunComponents& components, RunLoops& loops,
                         LoggerList& loggers, TrainingState& state, RunOutput& output, Processes& processes)
    : run_(run),
      snapshots_(*components.model),
      trainer_{settings.plan,
               *components.model,
               loops.loaders,
               loops.log,
               loggers,
               loops.context.progress,
               loops.accumulation,
               loops.context.agreement,
               loops.validation,
               output.console,
               output.folder ? &*output.folder : nullptr,
               texts_of(settings, output),
               settings.config.verbosity,
               settings.config.loggers.size()},
      params_{*components.model, snapshots_},
      optim_{*components.model, loops.optimizers, *loops.optimization},
      checkpoint_{
          state, trainer_.folder, "", loops.context.progress, loops.context.warn, settings.config.resume.has_value()},
      trial_{loops.context, loops.optimizers, snapshots_, nullptr},
      device_{loops.context.strategy.device(), loops.context.strategy.devices()},
      module_tree_{*components.model, device_.device, loops.context.warn, &loops.context.precision},
      data_{loops.loaders, loops.context.progress,
            DeviceBatches(*components.model, loops.context.precision, loops.context.strategy, loops.context.progress)},
      dist_(processes),
      networks_{settings.config.trust, device_.device, loops.context.warn} {
  run.stop = &trainer_.progress.stop;
  run.training_thread = std::this_thread::get_id();
  run.trainer = &trainer_;
  run.params = &params_;
  run.optim = &optim_;
  run.checkpoint = &checkpoint_;
  run.trial = &trial_;
  run.device = &device_;
  run.module_tree = &module_tree_;
  run.data = &data_;
  run.dist = &dist_;
  run.networks = &networks_;
}

// Components are destroyed later. If one calls a service then, the call fails instead of using destroyed parts.
RunServices::~RunServices() { run_ = {}; }

}  // namespace levin::core
