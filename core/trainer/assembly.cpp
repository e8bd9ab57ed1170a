#include "core/trainer/assembly.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <torch/utils.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/version.hpp"
#include "core/checkpoint/container/checkpoint_folder.hpp"
#include "core/components/torch_compat.hpp"
#include "core/config/seed.hpp"
#include "core/logging/log_rules.hpp"
#include "core/loops/accumulation.hpp"
#include "core/optim/plugin_optimizer.hpp"
#include "core/strategies/single_process.hpp"
#include "core/trainer/checkpoint_choice.hpp"

namespace levin::core {
namespace {

uint64_t drawn_seed() { return std::random_device{}(); }

nlohmann::json with_seed(const RunConfig& config, uint64_t seed) {
  nlohmann::json out = to_json_without_secrets(config);
  out["trainer"]["seed_everything"] = seed;
  return out;
}

}  // namespace

Assembly::Assembly(RunConfig given, uint32_t stage, Console& console_)
    : config(std::move(given)),
      plan(make_run_plan(config.trainer, config.timed)),
      console(console_),
      seed(plan.seed.value_or(drawn_seed())),
      plugins(console, config.trust) {
  check_single_process(environment_variables());
  strategy = make_strategy(plan.accelerator, plan.devices);
  const PrecisionType given_precision = std::exchange(plan.precision, precision_on(plan.precision, strategy->device()));
  if (plan.precision != given_precision)
    console.warn(std::string("trainer.precision=") + name_of(given_precision) + " needs a GPU: on a CPU it is " +
                 name_of(plan.precision));
  precision = make_precision(plan.precision, strategy->device());
  at::globalContext().setBenchmarkCuDNN(plan.benchmark);
  if (plan.deterministic) set_deterministic(true, plan.deterministic_warn);
  torch::manual_seed(seed);
  announce_seed(seed);
  check_checkpoint_choice(*this);
  choose_folder();
  add_model_callbacks();
  if (config.data) make_data(stage);
  make_model(stage);
  make_hooks(stage);
  make_loop_parts();
}

void Assembly::choose_folder() {
  if (plan.fast_dev_run > 0) return;
  folder = config.resume ? RunFolder::open(*config.resume) : RunFolder::make(plan.default_root_dir, run_name(plan));
  lock.emplace(folder->path());
  console.log_to((folder->path() / "log.txt").string());
  if (!config.resume) return save_config_of_new_run();
  remove_stale_temporaries(folder->checkpoints().string());
  folder->hold_config(with_seed(config, seed));  // until the first batch is done: the options may not fit
  if (const std::string problem = folder->index_problem(); !problem.empty())
    console.warn(problem + "; it is made anew with the next checkpoint");
}

// A version that was asked for may have had a run.
void Assembly::save_config_of_new_run() {
  const std::filesystem::path file = folder->path() / "config.json";
  const nlohmann::json wanted = with_seed(config, seed);
  const std::filesystem::path earlier = set_aside(file);
  folder->save_config(wanted);
  if (!earlier.empty())
    console.warn(folder->path().string() + " holds an earlier run: its config.json is now " +
                 earlier.filename().string() +
                 ", its checkpoints stay; of other files the new run's replace those "
                 "of the same name");
}

void Assembly::make_data(uint32_t stage) {
  const Created created = plugins.create(*config.data, LEVIN_KIND_DATA, stage);
  data = std::make_unique<DataModule>(created.origin, created.table, created.self);
  prepare_data();
  data->setup(stage);
  data_info = std::make_unique<DataInfo>(*data);
}

void Assembly::make_model(uint32_t stage) {
  const levin_data_info* info = data_info ? data_info->raw() : nullptr;
  const Created created = plugins.create(config.model, LEVIN_KIND_MODEL, stage, info);
  model = std::make_unique<Model>(created.origin, created.table, created.self);
  if (data) return;
  const levin_model* table = &model->table();
  if (!LEVIN_HAS(levin_model, table, data_module))
    throw Error(ErrorKind::usage,
                "--data is missing: model '" + config.model.component + "' brings no data of its own");
  void* self = nullptr;
  const levin_data* own = nullptr;
  model->invoke("data_module", [&] { return table->data_module(model->self(), &self, &own); });
  if (!self || !own) throw Error(ErrorKind::plugin, model->plugin() + ": data_module handed over nothing");
  data = std::make_unique<DataModule>(ComponentOrigin{"data", model->plugin(), &model->schema(), false}, &own->o, self);
  prepare_data();
  data->setup(stage);
}

void Assembly::prepare_data() {
  data->prepare();
  plugins.prepare_data(config.model);
}

// A model's callbacks take the place of the run's of the same component, never of each other.
void Assembly::add_model_callbacks() {
  auto& all = config.callbacks;
  std::vector<ComponentConfig> brought = plugins.model_callbacks(config.model);
  for (const ComponentConfig& b : brought) {
    const auto same = [&](const ComponentConfig& c) { return c.component == b.component; };
    all.erase(std::remove_if(all.begin(), all.end(), same), all.end());
  }
  std::move(brought.begin(), brought.end(), std::back_inserter(all));
}

void Assembly::make_hooks(uint32_t stage) {
  std::vector<std::unique_ptr<Callback>> callbacks;
  for (const ComponentConfig& c : config.callbacks) {
    const Created created = plugins.create(c, LEVIN_KIND_CALLBACK, stage);
    callbacks.push_back(std::make_unique<Callback>(created.origin, created.table, created.self));
  }
  std::vector<std::unique_ptr<Logger>> made;
  for (const ComponentConfig& c : config.loggers) {
    const Created created = plugins.create(c, LEVIN_KIND_LOGGER, stage);
    made.push_back(std::make_unique<Logger>(created.origin, created.table, created.self));
  }
  hooks = std::make_unique<Dispatcher>(*model, data.get(), std::move(callbacks));
  hooks->position().seed = seed;
  hooks->position().stage = stage;
  if (config.trace_hooks)
    hooks->set_trace([this](const std::string& who, uint32_t origin, bool entering) {
      if (entering) print_call(who, origin);
      trace_depth_ += entering ? 1 : -1;
    });
  loggers = std::make_unique<LoggerList>(std::move(made), [this](const std::string& line) { console.warn(line); });
}

void Assembly::end_batch() {
  if (folder) folder->keep_config();
  signals.check();
}

void Assembly::print_call(const std::string& who, uint32_t origin) {
  const Position& at = hooks->position();
  console.print("epoch " + std::to_string(at.epoch) + " step " + std::to_string(at.global_step) + ": " +
                std::string(trace_depth_ * 2, ' ') + who + "." + origin_name(origin));
}

void Assembly::make_loop_parts() {
  log = std::make_unique<LoggerConnector>(*loggers, plan.log_every_n_steps);
  LoaderDefaults loader = make_loader_defaults(config.loader);
  if (loader.pin_memory && !strategy->device().is_cuda()) {
    console.warn("data.pin_memory has no effect: batches are not copied to a GPU");
    config.loader["pin_memory"] = loader.pin_memory = false;
  }
  loaders = std::make_unique<LoaderSet>(*data, loader, plan, seed);
  loaders->on_make([this](uint32_t split) { hooks->data_only(LEVIN_HOOK_TRAIN_DATALOADER + split); });
  loaders->on_warning([this](const std::string& line) { console.warn(line); });
  optimizers = std::make_unique<OptimizerSet>(
      [this](const std::string& name, const nlohmann::json& options, std::vector<ParamGroup> groups) {
        return plugin_optimizer(name, options, std::move(groups));
      });
  optimization = std::make_unique<Optimization>(
      OptimizationParts{*model, *hooks, *optimizers, *precision, *strategy, progress.optim}, plan);
  progress.accumulate_grad_batches = window_at(plan.accumulate_grad_batches, 0).value_or(1);
  snapshots = std::make_unique<Snapshots>(*model);
  context.reset(new RunContext{plan, *model, *data, *loaders, *hooks, *precision, *strategy, *optimizers, *optimization,
                               *log, progress, stop, nullptr, [this] { end_batch(); },
                               [this](const std::string& line) { console.warn(line); }});
  run = std::make_unique<RunState>(plan, *context, *snapshots, console, *loggers);
  context->run = run.get();
  hooks->set_run(run.get());
  validation = std::make_unique<EvaluationLoop>(*context, LEVIN_VAL);
  test = std::make_unique<EvaluationLoop>(*context, LEVIN_TEST);
  StateParts parts{*model,
                   data.get(),
                   *hooks,
                   *loggers,
                   *optimizers,
                   *precision,
                   [this] {
                     nlohmann::json loops = progress.state_dict(hooks->position().epoch, hooks->position().global_step);
                     loops["callback_metrics"] = log->state_dict();
                     loops["epoch_metrics"] = log->train().state_dict();
                     return loops;
                   },
                   [this](const nlohmann::json& loops, std::vector<StateBag> metric_states) {
                     hooks->position().epoch = progress.load_state_dict(loops);
                     hooks->position().global_step = loops.at("global_step").get<int64_t>();
                     log->load_state_dict(loops.at("callback_metrics"));
                     if (FitProgress::made_within_epoch(loops))
                       log->train().load_state_dict(loops.value("epoch_metrics", nlohmann::json::array()),
                                                    std::move(metric_states));
                   },
                   [this] { return log->train().metric_states(); },
                   [this] { return progress.window_open; },
                   [this] { return provenance(); },
                   strategy->device()};
  state = std::make_unique<TrainingState>(std::move(parts));
  run->attach(state.get(), folder ? &*folder : nullptr, validation.get(),
              {config.model.component, config.data ? config.data->component : "",
               to_json_without_secrets(config).dump(), plan.default_root_dir});
}

nlohmann::json Assembly::provenance() const {
  return {{"levin_version", version},
          {"torch_version", LEVIN_TORCH_VERSION},
          {"num_threads", at::get_num_threads()},
          {"seed", seed},
          {"config", with_seed(config, seed)},
          {"plugins", plugins.provenance()}};
}

std::unique_ptr<Optimizer> Assembly::plugin_optimizer(const std::string& name, const nlohmann::json& options,
                                                      std::vector<ParamGroup> groups) {
  for (const ComponentConfig& c : config.optimizers) {
    if (c.component != name) continue;
    return make_plugin_optimizer(plugins, c, options, std::move(groups));
  }
  return nullptr;
}

}  // namespace levin::core
