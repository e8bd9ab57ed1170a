#include "core/trainer/assembly/run_replicas.hpp"

#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/base/error.hpp"
#include "core/checkpoint/generators.hpp"
#include "core/services/dist_parts.hpp"

namespace levin::core {
namespace {

constexpr const char* refusal =
    "under trainer.strategy=dp only the first replica of the model has this service in its step";

std::unique_ptr<Model> make_replica(RunComponents& components, size_t number) try {
  return components.make_replica();
} catch (const Error& e) {
  throw Error(e.kind(), "trainer.strategy=dp: replica " + std::to_string(number) +
                            " of the model cannot be made beside the first one: " + e.what());
}

}  // namespace

struct RunReplicas::Instance {
  Instance(std::unique_ptr<Model> made, at::Device device, Precision& precision,
           const std::function<void(const std::string&)>& warn)
      : model(std::move(made)),
        snapshots(*model),
        params{*model, snapshots},
        devices{device},
        module_tree{*model, device, warn, &precision} {}

  std::unique_ptr<Model> model;
  Snapshots snapshots;
  std::optional<TrainerParts> trainer;
  const RunProgress* trainer_of_run = nullptr;  // the progress that `trainer` was made for
  ParamsParts params;
  DeviceParts devices;
  ModuleTreeParts module_tree;
  DistParts dist;  // for a single process
  levin_run run;
};

RunReplicas::RunReplicas(levin_run& run, RunComponents& components, RunDevice& device, Dispatcher& hooks,
                         const std::function<void(const std::string&)>& warn)
    : run_(run), models_{components.model.get()} {
  Strategy& strategy = *device.strategy;
  if (strategy.instances() == 1) return;
  const GeneratorScope generators(strategy.device());  // keeps random numbers the same as without replicas
  const std::vector<at::Device> devices = strategy.devices();
  for (size_t i = 1; i < strategy.instances(); ++i) {
    instances_.push_back(std::make_unique<Instance>(make_replica(components, i), devices[i], *device.precision, warn));
    Instance& made = *instances_.back();
    made.run.stop = run.stop;
    made.run.training_thread = run.training_thread;
    made.run.refusal = refusal;
    made.run.params = &made.params;
    made.run.device = &made.devices;
    made.run.module_tree = &made.module_tree;
    made.run.dist = &made.dist;
    made.run.replica = i;
    made.run.turn = &turn_;
    models_.push_back(made.model.get());
    hooks.add_replica(*made.model, &run_of(i));
  }
  run.turn = &turn_;
  strategy.use(*this);
}

RunReplicas::~RunReplicas() = default;

// Creates the parts again for a trial, which has its own. Hooks also use the run's services before the first step.
levin_run& RunReplicas::run_of(size_t replica) {
  if (replica == 0) return run_;
  Instance& instance = *instances_[replica - 1];
  if (instance.trainer_of_run != &run_.trainer->progress) {
    instance.trainer.emplace(run_.trainer->of_replica(*instance.model));
    instance.trainer_of_run = &run_.trainer->progress;
    instance.run.trainer = &*instance.trainer;
  }
  instance.run.optim = run_.optim;
  return instance.run;
}

levin_run* RunReplicas::begin_step(size_t replica, StepRecord& record) {
  levin_run& run = run_of(replica);
  run.record = &record;
  run.training_thread = std::this_thread::get_id();
  return &run;
}

void RunReplicas::end_step(size_t replica) {
  levin_run& run = run_of(replica);
  run.record = nullptr;
  run.training_thread = run_.training_thread;
}

void RunReplicas::log(LogOrigin origin, const levin_log& log, const std::optional<double>& step) {
  run_.trainer->log.log(origin, log, {}, step);
}

}  // namespace levin::core
