#include "core/checkpoint/state/loop_states.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/checkpoint/state/read_part.hpp"
#include "core/optim/lr_scaling.hpp"

namespace levin::core {
namespace {

struct MetricsSoFar {
  nlohmann::json values;
  std::vector<StateBag> states;
};

MetricsSoFar metrics_in(const CheckpointReader& file) {
  MetricsSoFar out;
  const nlohmann::json& m = file.manifest();
  out.values = m.at("loops").value("epoch_metrics", nlohmann::json::array());
  for (size_t i = 0; i < out.values.size(); ++i) out.states.push_back(file.bag("epoch_metrics." + std::to_string(i)));
  return out;
}

// With another world size, rank 0 alone takes over the epoch's metrics so far, of all processes, so that they count
// once.
void load_metrics_of_all(MetricStore& store, const CheckpointReader& file) {
  for (int rank = 1; file.manifest().contains("ranks") && rank < file.world_size(); ++rank) {
    MetricsSoFar theirs = metrics_in(file.of_rank(rank));
    store.take_over(theirs.values, std::move(theirs.states));
  }
}

// Accumulation also restarts if rank 0 saved the window alone, because the gradients are its own only.
void reshard_epoch(const SavedRun& run, const CheckpointReader& file) {
  const int before = file.world_size(), now = run.processes.world().size;
  if (before != now) {
    const StepRows rows = step_rows(file.manifest().value("config", nlohmann::json()), before,
                                    run.provenance().value("config", nlohmann::json()), now);
    run.fit.reshard_epoch(rows.before, rows.now);
  } else if (file.saved_by_first_alone() && run.context.accumulation.is_open()) {
    run.fit.reshard_epoch(1, 1);
  }
}

void load_metrics(const SavedRun& run, const CheckpointReader& file, const FoundPosition& found) {
  const bool at_end = found.at_epoch_end();
  if (!at_end && !RunProgress::made_within_epoch(file.manifest().at("loops"))) return;
  const bool of_another_world = run.processes.world().size != file.world_size();
  if (!at_end && of_another_world && !run.processes.world().is_first()) return;
  MetricsSoFar own = metrics_in(file);
  run.context.log.train().load_state_dict(own.values, std::move(own.states));
  if (of_another_world && !at_end) load_metrics_of_all(run.context.log.train(), file);
  if (at_end) run.context.log.train().reach_end();
}

FoundPosition load_loops_state(const SavedRun& run, const CheckpointReader& file) {
  const nlohmann::json& loops = file.manifest().at("loops");
  const FoundPosition found = run.fit.load_state_dict(loops);
  if (found.within_epoch()) reshard_epoch(run, file);
  run.context.log.load_state_dict(loops.at("callback_metrics"));
  run.loggers.leave_out(loops.value("rows_repeated", uint64_t{0}));
  load_metrics(run, file, found);
  return found;
}

void save_generators(const SavedRun& run, CheckpointWriter& out) {
  const GeneratorStates& before = run.fit.validation().generators_before();
  Strategy& strategy = run.context.strategy;
  const GeneratorStates states =
      before.empty() ? generator_states(strategy.device(), strategy.further_generators()) : before;
  for (const auto& [name, state] : states) out.put("generators." + name, state);
}

void load_generators(const SavedRun& run, const CheckpointReader& file) {
  if (!file.has_own_section()) return;  // this process draws new random numbers, as at the start
  std::map<std::string, at::Tensor> generators = {{"cpu", file.tensor("generators.cpu")}};
  if (file.contains("generators.cuda")) generators["cuda"] = file.tensor("generators.cuda");
  const Generators further = run.context.strategy.further_generators();
  for (const auto& [name, generator] : further)
    if (file.contains("generators." + name)) generators[name] = file.tensor("generators." + name);
  set_generator_states(run.context.strategy.device(), generators, further);
}

// Returns the key prefixes of the parameters whose optimizer state another process holds.
std::set<std::string> parts_of_others(const SavedRun& run, const Optimizer& optimizer) {
  std::set<std::string> out;
  for (size_t g = 0; g < optimizer.groups().size(); ++g)
    for (size_t p = 0; p < optimizer.groups()[g].params.size(); ++p)
      if (!run.context.strategy.owns(optimizer, optimizer.groups()[g].params[p]))
        out.insert(std::to_string(g) + "." + optimizer.groups()[g].names[p] + ".");
  return out;
}

// A key is, e.g., "0.fc.weight.exp_avg"; slot names contain no dots.
bool is_among(const std::set<std::string>& parts, const std::string& key) {
  return parts.count(key.substr(0, key.rfind('.') + 1)) > 0;
}

}  // namespace

nlohmann::json loops_state(const SavedRun& run) {
  nlohmann::json loops = run.fit.state_dict();
  loops["callback_metrics"] = run.context.log.state_dict();
  loops["epoch_metrics"] = run.context.log.train().state_dict();
  loops["rows_repeated"] = run.loggers.repeated();
  return loops;
}

FoundPosition load_loops(const SavedRun& run, const CheckpointReader& file) {
  FoundPosition found;
  read_part(file, "loops", [&] {
    if (file.weights_only())
      throw Error(ErrorCode::checkpoint_incomplete, file.path() +
                                                        " holds weights only, so a fit cannot resume from it; "
                                                        "validate, test and predict can use it");
    const nlohmann::json& m = file.manifest();
    for (const char* part : {"optimizer_states", "lr_schedulers", "loops"})
      if (!m.contains(part))
        throw Error(ErrorCode::checkpoint_incomplete,
                    file.path() + ": the checkpoint has no " + part +
                        ", so a fit cannot resume from it; validate, test and predict can use it");
    found = load_loops_state(run, file);
  });
  return found;
}

void save_optimizers(const SavedRun& run, CheckpointWriter& out) {
  nlohmann::json& states = out.manifest()["optimizer_states"] = nlohmann::json::array();
  const auto& optimizers = run.optimizers.optimizers();
  for (size_t i = 0; i < optimizers.size(); ++i) {
    const std::set<std::string> left_out = parts_of_others(run, *optimizers[i]);
    OptimizerState state = optimizers[i]->state_dict();
    for (const auto& [key, tensor] : state.tensors)
      if (!is_among(left_out, key)) out.put("optimizer_states." + std::to_string(i) + "." + key, tensor);
    states.push_back({{"name", optimizers[i]->id()}, {"values", state.values}});
  }
}

void load_optimizers(const SavedRun& run, const CheckpointReader& file) {
  const nlohmann::json states = file.manifest().value("optimizer_states", nlohmann::json::array());
  auto& optimizers = run.optimizers.optimizers();
  if (states.size() != optimizers.size())
    throw Error(ErrorCode::checkpoint_state_refused,
                file.path() + " holds the state of " + std::to_string(states.size()) + " optimizers, and the run has " +
                    std::to_string(optimizers.size()));
  for (size_t i = 0; i < optimizers.size(); ++i) {
    const std::string prefix = "optimizer_states." + std::to_string(i);
    read_part(file, prefix, [&] {
      if (states[i].value("name", "") != optimizers[i]->id())
        throw Error(ErrorCode::checkpoint_state_refused, "optimizer " + std::to_string(i) + " was '" +
                                                             states[i].value("name", "") + "', and the run's is '" +
                                                             optimizers[i]->id() + "'");
      OptimizerState state;
      const std::set<std::string> left_out = parts_of_others(run, *optimizers[i]);
      for (const std::string& key : file.keys(prefix))
        if (!is_among(left_out, key)) state.tensors.emplace_back(key, file.tensor(prefix + "." + key));
      state.values = states[i].at("values");
      optimizers[i]->load_state_dict(state);
    });
  }
  run.optimizers.scale_loaded_optimizers(saved_lr_scaling(file.manifest()));
}

void save_rank(const SavedRun& run, CheckpointWriter& out) {
  size_t place = 0;
  for (const StateBag& metric : run.context.log.train().metric_states())
    out.put("epoch_metrics." + std::to_string(place++), metric);
  save_generators(run, out);
}

void save_fit(const SavedRun& run, CheckpointWriter& out) {
  save_rank(run, out);
  save_optimizers(run, out);
  out.manifest()["lr_schedulers"] = run.optimizers.schedules_state();
  out.manifest()["precision"] = run.context.precision.state_dict();
}

void load_fit(const SavedRun& run, const CheckpointReader& file) {
  const nlohmann::json& m = file.manifest();
  load_optimizers(run, file);
  read_part(file, "lr_schedulers",
            [&] { run.optimizers.load_schedules_state(m.value("lr_schedulers", nlohmann::json::array())); });
  run.optimizers.scale_loaded_schedules(saved_lr_scaling(m));
  read_part(file, "precision",
            [&] { run.context.precision.load_state_dict(m.value("precision", nlohmann::json::object())); });
  read_part(file, "generators", [&] { load_generators(run, file); });
}

}  // namespace levin::core
