#include "core/trainer/assembly/run_loops.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/optim/plugin_optimizer.hpp"

namespace levin::core {
namespace {

// Divides the global batch size by the number of processes.
void share_batch(LoaderDefaults& defaults, const RunLoopsParts& parts) {
  const int64_t all = defaults.global_batch_size, processes = parts.world.size;
  if (defaults.given.count("batch_size") > 0)
    throw Error(ErrorCode::options_conflict,
                "data.batch_size and data.global_batch_size exclude each other: give one of them");
  if (all % processes != 0)
    throw Error(ErrorCode::option_value_invalid, "data.global_batch_size=" + std::to_string(all) +
                                                     " cannot be divided evenly among " + std::to_string(processes) +
                                                     " processes; " +
                                                     std::to_string((all / processes + 1) * processes) + " can");
  defaults.batch_size = all / processes;
  defaults.given.insert("batch_size");
}

// Decides about pin_memory: on where batches are copied to a GPU. Elsewhere it would have no effect, so it is switched
// off, with a warning if the user set it.
LoaderDefaults loader_defaults(const RunLoopsParts& parts) {
  RunConfig& config = parts.settings.config;
  nlohmann::json& options = config.loader;
  LoaderDefaults defaults = make_loader_defaults(options, config.loader_given);
  const bool copied = parts.device.strategy->device().is_cuda();
  if (defaults.pin_memory.value_or(false) && !copied) {
    parts.warn("data.pin_memory has no effect: batches are not copied to a GPU");
    options["pin_memory"] = false;
  }
  defaults.pin_memory = copied && defaults.pin_memory.value_or(true);
  // A model's hooks of the transfer get numbers.
  defaults.move_bytes = copied && !parts.components.model->overrides().has_batch_transfer();
  if (defaults.global_batch_size > 0) share_batch(defaults, parts);
  return defaults;
}

// Returns nullptr if no plugin has such an optimizer. name: an id or a full name.
const ComponentConfig* find_optimizer_component(const RunConfig& config, const std::string& name) {
  const ComponentConfig* found = nullptr;
  for (const ComponentConfig& c : config.optimizers) {
    if (c.component != name && c.name != name) continue;
    if (found != nullptr)
      throw Error(ErrorCode::plugin_ambiguous, "the optimizer '" + name + "' is in " + found->file + " and in " +
                                                   c.file + "; name one: " + found->name + ", " + c.name);
    found = &c;
  }
  return found;
}

OptimizerSet::Factory plugin_optimizers(const RunLoopsParts& parts) {
  PluginSet& plugins = parts.components.plugins;
  const RunConfig& config = parts.settings.config;
  return [&plugins, &config](const std::string& name, const nlohmann::json& options,
                             std::vector<ParamGroup> groups) -> std::unique_ptr<Optimizer> {
    const ComponentConfig* c = find_optimizer_component(config, name);
    return c == nullptr ? nullptr : make_plugin_optimizer(plugins, *c, options, std::move(groups));
  };
}

// Returns the share of the rows that this process loads.
Share share_of(const RunLoopsParts& parts) {
  Share share;
  if (!parts.settings.plan.processes.use_distributed_sampler) return share;
  share.rank = parts.world.rank;
  share.world_size = parts.world.size;
  return share;
}

LogSettings log_settings(const RunPlan& plan) {
  return {plan.logging.log_every_n_steps, plan.logging.barebones, plan.logging.move_metrics_to_cpu};
}

}  // namespace

RunLoops::RunLoops(const RunLoopsParts& parts)
    : loaders(*parts.components.data, loader_defaults(parts), parts.settings.plan, parts.settings.seed,
              share_of(parts)),
      optimizers(plugin_optimizers(parts)),
      log(parts.loggers, log_settings(parts.settings.plan), &parts.device.strategy->processes(), parts.warn),
      accumulation(window_at(parts.settings.plan.optimization.accumulate_grad_batches, 0).value_or(1)),
      context{parts.settings.plan,
              *parts.components.model,
              loaders,
              parts.hooks,
              *parts.device.precision,
              *parts.device.strategy,
              log,
              parts.progress,
              accumulation,
              parts.agreement,
              parts.end_batch,
              parts.warn},
      optimization(
          make_optimization({parts.settings.plan, *parts.components.model, parts.hooks, optimizers,
                             *parts.device.precision, *parts.device.strategy, log, parts.progress, parts.warn})),
      validation(context, LEVIN_VAL),
      test(context, LEVIN_TEST),
      fit(context, optimizers, *optimization, validation) {
  loaders.on_make([&hooks = parts.hooks, &progress = parts.progress](uint32_t split) {
    hooks.data_only(LEVIN_HOOK_TRAIN_DATALOADER + split, progress);
  });
  loaders.on_warning(parts.warn);
}

}  // namespace levin::core
