#include "core/trainer/assembly/assembly.hpp"

#include <ATen/Parallel.h>

#include <cstdlib>
#include <utility>

#include "core/abi/plugin_watch.hpp"
#include "core/base/version.hpp"
#include "core/checkpoint/data_fields.hpp"
#include "core/trainer/hook_trace.hpp"
#include "core/trainer/init_weights.hpp"
#include "core/trainer/same_settings.hpp"

namespace levin::core {
namespace {

// Meets the other processes of the run, whose first one chooses what is random.
Processes met_processes(RunSettings& settings, const Signals& signals, Console& console) {
  const World world = world_of(environment_variables());
  if (!world.several()) return {};
  if (!world.is_first())
    console.be_one_of_several(::getenv("LEVIN_LAUNCHER_FD") ? "" : "rank " + std::to_string(world.rank));
  const RunPlan& plan = settings.plan;
  MeetingOptions options;
  options.init_method = plan.init_method;
  options.interface = plan.interface;
  options.timeout = std::chrono::milliseconds(static_cast<int64_t>(plan.process_group_timeout * 1000));
  Processes processes(world, options, [&signals] { signals.check(); });
  settings.seed = std::stoull(processes.of_first(std::to_string(settings.seed)));
  check_same_settings(settings, processes);
  return processes;
}

// Makes the device and checks that the checkpoint exists before the folder of a new run is made, so that an error here
// leaves no folder.
RunDevice checked_device(RunSettings& settings, Processes& processes, Console& console,
                         std::optional<ChosenCheckpoint>& evaluated) {
  RunDevice device(settings, processes, [&console](const std::string& line) { console.warn(line); });
  if (processes.world().is_first()) evaluated = choose_checkpoint(settings, console);
  const std::string chosen = processes.of_first(evaluated ? evaluated->path : "");
  if (!evaluated && !chosen.empty()) evaluated = ChosenCheckpoint{chosen, {}};
  return device;
}

// The state that says what the rows of a data module are, for those that want it this early.
void load_early(const std::optional<ChosenCheckpoint>& file, DataModule& data) {
  if (!file || !data.loads_state_before_setup() || is_weights_file(file->path)) return;
  load_before_setup(CheckpointReader(file->path, file->verified), data);
}

Dispatcher make_hooks(RunComponents& components, levin_run& run) {
  Dispatcher hooks(*components.model, components.data.get(), components.make_callbacks());
  hooks.set_run(&run);
  return hooks;
}

}  // namespace

Assembly::Assembly(RunSettings given, uint32_t stage, Console& console)
    : settings(std::move(given)),
      processes(met_processes(settings, signals, console)),
      device(checked_device(settings, processes, console, evaluated)),
      output(settings, processes, console),
      job(settings, console),
      watchdog(settings.plan.hang_warning, console),
      components(settings, processes, stage, console, [this](DataModule& data) { load_early(evaluated, data); }),
      hooks(make_hooks(components, run)),
      loggers(components.make_loggers(), warning()),
      loops({settings, components, device, processes.world(), hooks, loggers, progress, [this] { end_batch(); },
             warning()}),
      state({*components.model, components.data.get(), hooks, loggers, loops.log, loops.optimizers, *device.precision,
             progress, [this] { return provenance(); }, device.strategy->device(), warning(),
             processes.world().is_first(), settings.config.allow_plugin_changes,
             settings.plan.non_finite != NonFinite::ignore, [this] { output.sync(); }, &loops.train_outputs,
             &loops.validation.generators_before(), [this] { return loops.optimization->guard().left_out(); },
             [this](const LeftOutSteps& n) { loops.optimization->guard().set_left_out(n); }}),
      services(run, settings, components, loops, loggers, state, output) {
  progress.seed = settings.seed;
  progress.place.stage = stage;
  if (auto* watch = dynamic_cast<PluginWatch*>(border_watch())) {
    const Model& model = *components.model;
    watch->watch_parameters([&model](const PluginWatch::Visit& visit) {
      for (const NamedTensor& p : model.parameters()) visit(p.name, p.tensor);
    });
  }
  if (settings.config.trace_hooks) trace_hooks(components.model->origin(), console, run);
}

Assembly::~Assembly() {
  signals.run_has_ended();
  if (auto* watch = dynamic_cast<PluginWatch*>(border_watch())) watch->watch_parameters(nullptr);
  watchdog.run_has_ended();
}

std::function<void(const std::string&)> Assembly::warning() {
  return [this](const std::string& line) { output.console.warn(line); };
}

// Saves the options of a resumed run after its first batch, because they are known to work then. A batch of the sanity
// check does not count.
void Assembly::end_batch() {
  state.deliver();
  if (output.folder && progress.place.stage != LEVIN_STAGE_SANITY) output.folder->keep_config();
  job.after_batch();
  signals.check();
}

nlohmann::json Assembly::provenance() const {
  return {{"levin_version", version},
          {"torch_version", LEVIN_TORCH_VERSION},
          {"num_threads", at::get_num_threads()},
          {"seed", settings.seed},
          {"config", settings.saved_config()},
          {"plugins", components.plugins.provenance()},
          {"data", data_to_json(components.data_info ? components.data_info->raw() : nullptr)}};
}

}  // namespace levin::core
