#include "core/trainer/assembly/run_components.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/config/trainer/host_options.hpp"
#include "core/data/loader_checks.hpp"
#include "core/services/services.hpp"

namespace levin::core {
namespace {

const Limit& limit_of(const RunPlan& plan, uint32_t split) {
  const Limit* limits[LEVIN_SPLITS] = {&plan.limits.train, &plan.limits.val, &plan.limits.test, &plan.limits.predict};
  return *limits[split];
}

std::vector<uint32_t> splits_of(uint32_t stage) {
  if (stage == LEVIN_STAGE_FIT) return {LEVIN_TRAIN, LEVIN_VAL};
  if (stage == LEVIN_STAGE_VALIDATE) return {LEVIN_VAL};
  return {stage == LEVIN_STAGE_TEST ? LEVIN_TEST : LEVIN_PREDICT};
}

// Throws Error{usage} if a batch of this stage needs more than the machine's memory. The data must be set up. Batches
// of a data module that plans its loaders are checked when the loaders are made.
void check_batches(const DataModule& data, const RunSettings& settings, uint32_t stage, int processes) {
  if (data.plans_loaders()) return;
  const LoaderDefaults options = make_loader_defaults(settings.config.loader, settings.config.loader_given);
  const int64_t of_training =
      options.global_batch_size > 0 ? options.global_batch_size / processes : options.batch_size;
  for (const uint32_t split : splits_of(stage)) {
    if (limit_of(settings.plan, split).off()) continue;
    const int64_t batch = split == LEVIN_TRAIN ? of_training : options.eval_batch_size;
    for (uint32_t loader = 0; loader < data.loaders(split); ++loader)
      if (const auto info = data.describe(split, loader)) {
        const int64_t own_rows = (info->rows + processes - 1) / processes;
        check_batch_memory({data, split, loader, *info}, info->rows < 0 ? batch : std::min(batch, own_rows));
      }
  }
}

}  // namespace

RunComponents::RunComponents(RunSettings& settings, Processes& processes, Strategy& strategy, uint32_t stage,
                             Console& console, std::function<void(DataModule&)> before_setup)
    : plugins(console, settings.config.trust, services()),
      settings_(settings),
      config_(settings.config),
      processes_(processes),
      before_setup_(std::move(before_setup)),
      stage_(stage) {
  for (const OwnPlugin& own : settings.own_plugins) plugins.adopt(own);
  add_model_callbacks(settings.config);
  if (config_.data) make_data();
  model = strategy.make_model([this] { return create_model(); });
  if (!data) adopt_data_of_model();
}

Created RunComponents::create(const ComponentConfig& component, uint32_t kind, const levin_data_info* info) {
  return plugins.create(component, kind, stage_, info);
}

void RunComponents::make_data() {
  const Created created = create(*config_.data, LEVIN_KIND_DATA);
  data = std::make_unique<DataModule>(created.origin, created.table, created.self);
  set_up_data();
  check_batches(*data, settings_, stage_, processes_.world().size);
  data_info = std::make_unique<DataInfo>(*data);
}

void RunComponents::set_up_data() {
  before_setup_(*data);
  prepare_data();
  data->setup(stage_);
}

// A model without data of its own may fail because no data was given.
Created RunComponents::create_model() try {
  return create(config_.model, LEVIN_KIND_MODEL, data_info ? data_info->raw() : nullptr);
} catch (const Error& e) {
  if (data_info) throw;
  const bool refused = e.code() == ErrorCode::plugin_refused_options;
  throw Error(refused ? ErrorCode::data_not_named : e.code(),
              std::string(e.what()) + "; name data with --data: host plugins lists what there is");
}

void RunComponents::adopt_data_of_model() {
  void* self = nullptr;
  const levin_data* table = nullptr;
  if (!model->overrides().data_module(&self, &table))
    throw Error(ErrorCode::data_not_named, "--data is missing: model '" + config_.model.component +
                                               "' brings no data of its own; host plugins lists what there is");
  if (!self || !table)
    throw Error(ErrorCode::plugin_answer_invalid, model->plugin() + ": data_module returned no instance");
  data =
      std::make_unique<DataModule>(ComponentOrigin{"data", model->plugin(), &model->schema(), false}, &table->o, self);
  set_up_data();
}

void RunComponents::prepare_data() {
  const World& world = processes_.world();
  if (settings_.plan.processes.prepare_data_per_node ? world.local_rank == 0 : world.is_first()) {
    data->prepare();
    plugins.prepare_data(config_.model);
  }
  processes_.group().barrier();
}

// A callback of the model replaces the run's callbacks of the same component. The model's own callbacks do not replace
// each other.
void RunComponents::add_model_callbacks(RunConfig& config) {
  auto& all = config.callbacks;
  std::vector<ComponentConfig> brought = plugins.model_callbacks(config.model);
  for (const ComponentConfig& b : brought) {
    const auto same = [&](const ComponentConfig& c) { return c.component == b.component; };
    all.erase(std::remove_if(all.begin(), all.end(), same), all.end());
  }
  std::move(brought.begin(), brought.end(), std::back_inserter(all));
}

std::vector<std::unique_ptr<Callback>> RunComponents::make_callbacks() {
  std::vector<std::unique_ptr<Callback>> made;
  for (const ComponentConfig& c : config_.callbacks) {
    const Created created = create(c, LEVIN_KIND_CALLBACK);
    made.push_back(std::make_unique<Callback>(created.origin, created.table, created.self));
  }
  return made;
}

std::vector<std::unique_ptr<Logger>> RunComponents::make_loggers() {
  std::vector<std::unique_ptr<Logger>> made;
  if (!processes_.world().is_first() || config_.command == Command::tune) return made;
  for (const ComponentConfig& c : config_.loggers) {
    const Created created = create(c, LEVIN_KIND_LOGGER);
    made.push_back(std::make_unique<Logger>(created.origin, created.table, created.self));
  }
  return made;
}

}  // namespace levin::core
