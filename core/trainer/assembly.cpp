#include "core/trainer/assembly.hpp"

#include <ATen/Parallel.h>

#include <utility>

#include "core/abi/plugin_watch.hpp"
#include "core/base/version.hpp"
#include "core/checkpoint/data_fields.hpp"
#include "core/logging/metrics/log_rules.hpp"
#include "core/trainer/loop_place.hpp"
#include "core/trainer/rendezvous.hpp"
#include "core/trainer/resume/init_weights.hpp"

namespace levin::core {
namespace {

// Makes the device and checks that the checkpoint exists before the folder of a new run is made, so that an error here
// leaves no folder.
RunDevice checked_device(RunSettings& settings, Processes& processes, Console& console,
                         std::optional<ChosenCheckpoint>& evaluated) {
  RunDevice device(settings, processes, console);
  if (processes.world().is_first()) evaluated = choose_checkpoint(settings, console);
  const std::string chosen = processes.of_first(evaluated ? evaluated->path : "");
  if (!evaluated && !chosen.empty()) evaluated = ChosenCheckpoint{chosen, {}};
  return device;
}

// Loads the state that defines the rows of a data module, for data modules that need it before setup.
void load_early(const std::optional<ChosenCheckpoint>& file, DataModule& data) {
  if (!file || !data.loads_state_before_setup() || is_weights_file(file->path)) return;
  load_before_setup(CheckpointReader(file->path, file->verified), data);
}

RunAgreement agreement_of(Processes& processes, StopRequest& stop) {
  may_end_anywhere = !processes.world().several();
  return RunAgreement(processes.control(), stop);
}

Dispatcher make_hooks(RunComponents& components, levin_run& run) {
  Dispatcher hooks(*components.model, components.data.get(), components.make_callbacks());
  hooks.set_run(&run);
  return hooks;
}

// Prints lines such as "epoch 0 step 3: model.training_step", indented by the depth of nested calls. During a trial,
// epoch and step are the trial's. The console and the run must outlive the tracker.
void trace_hooks(OriginTracker& tracker, Console& console, const levin_run& run) {
  tracker.set_trace(
      [&console, &run, depth = size_t{0}](const std::string& who, LogOrigin origin, bool entering) mutable {
        if (!entering) {
          --depth;
          return;
        }
        const RunProgress& progress = run.trainer->progress;
        console.print("epoch " + std::to_string(progress.current_epoch()) + " step " +
                      std::to_string(progress.global_step()) + ": " + std::string(depth * 2, ' ') + who + "." +
                      origin_name(origin));
        ++depth;
      });
}

}  // namespace

Assembly::Assembly(RunSettings given, Signals& signals_, Processes& processes_, uint32_t stage, Console& console)
    : settings(std::move(given)),
      signals(signals_),
      processes(processes_),
      device(checked_device(settings, processes, console, evaluated)),
      output(settings, processes, console),
      job(settings, processes.world().is_first(), console),
      watchdog(settings.plan.supervision.hang_warning, console),
      components(settings, processes, *device.strategy, stage, console,
                 [this](DataModule& data) {
                   if (output.folder) data.tell_run_dir(std::filesystem::absolute(output.folder->path()).string());
                   load_early(evaluated, data);
                 }),
      agreement(agreement_of(processes, progress.stop)),
      hooks(make_hooks(components, run)),
      loggers(components.make_loggers(), warning()),
      loops({settings, components, device, processes.world(), agreement, hooks, loggers, progress,
             [this] { end_batch(); }, warning()}),
      state({loops.context, *components.data, loops.optimizers, loops.fit, loggers, processes,
             [this] { return provenance(); }, output.files ? &*output.files : nullptr,
             settings.config.allow_plugin_changes}),
      services(run, settings, components, loops, loggers, state, output, processes) {
  if (processes.world().several()) {
    components.plugins.hash_files();
    check_same_plugins(settings.config, components.plugins.provenance(), processes);
  }
  progress.seed = settings.seed;
  progress.begin_stage(stage);
  if (auto* watch = dynamic_cast<PluginWatch*>(border_watch())) {
    const Model& model = *components.model;
    watch->watch_parameters([&model](const PluginWatch::Visit& visit) {
      for (const NamedTensor& p : model.parameters()) visit(p.name, p.tensor);
    });
  }
  processes.set_place([this] { return describe_place(progress, loops.log.evaluating()); });
  if (settings.config.trace_hooks) trace_hooks(components.model->origin(), console, run);
}

Assembly::~Assembly() {
  signals.run_has_ended(processes.world().several());
  if (auto* watch = dynamic_cast<PluginWatch*>(border_watch())) watch->watch_parameters(nullptr);
  watchdog.run_has_ended();
  processes.set_place(nullptr);
}

Warn Assembly::warning() {
  return [this](const std::string& line) { output.console.warn(line); };
}

// Saves the options of a resumed run after its first batch, because they are known to work then. A batch of the sanity
// check does not count.
void Assembly::end_batch() {
  state.deliver();
  if (progress.place.stage != LEVIN_STAGE_SANITY) output.keep();
  if (output.folder && progress.place.stage != LEVIN_STAGE_SANITY) output.folder->keep_config();
  job.after_batch();
  agreement.after_batch();
}

nlohmann::json Assembly::provenance() {
  return {{"levin_version", host_version},
          {"torch_version", LEVIN_TORCH_VERSION},
          {"num_threads", at::get_num_threads()},
          {"seed", settings.seed},
          {"config", settings.saved_config()},
          {"plugins", components.plugins.provenance()},
          {"data", data_to_json(components.data_info ? components.data_info->raw() : nullptr)}};
}

}  // namespace levin::core
