// A run with every service, built on the toy parts of the loop tests.
#pragma once
#include "core/services/dist_parts.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"
#include "core/services/trial_steps.hpp"
#include "tests/loops/loop_scene.hpp"

struct ServiceScene : LoopScene {
  explicit ServiceScene(ToyNet& toy, int64_t train_rows = 6, int64_t val_rows = -1)
      : LoopScene(toy, train_rows, val_rows) {
    run.stop = &progress.stop;
    run.training_thread = std::this_thread::get_id();
    run.trainer = &trainer_parts;
    run.params = &params_parts;
    run.optim = &optim_parts;
    run.checkpoint = &checkpoint_parts;
    run.trial = &trial_parts;
    run.device = &device_parts;
    run.module_tree = &module_tree_parts;
    run.data = &data_parts;
    run.dist = &dist_parts;
    run.networks = &network_parts;
  }
  std::vector<std::string> lines;  // lines printed to the console
  levin::core::Console console{[this](int32_t, const std::string& line) { lines.push_back(line); }};
  levin::core::Snapshots snapshots{model};
  levin::core::EvaluationLoop validation{context, LEVIN_VAL};
  levin::core::FitLoop fit{context, optimizers, *optimization, validation};
  levin::core::TrainingState state{
      {context, data, optimizers, fit, loggers, processes, [] { return nlohmann::json::object(); }}};
  levin::core::TrainerParts trainer_parts{
      plan,         model,     loaders,    log,     loggers, progress,
      accumulation, agreement, validation, console, nullptr, {"toy", "rows", "{}", "/r", "", "", {}, "", ""}};
  levin::core::ParamsParts params_parts{model, snapshots};
  levin::core::OptimParts optim_parts{model, optimizers, *optimization};
  levin::core::CheckpointParts checkpoint_parts{state, nullptr, "", progress, context.warn};
  levin::core::TrialParts trial_parts{context, optimizers, snapshots, nullptr};
  levin::core::DeviceParts device_parts{at::kCPU};
  levin::core::ModuleTreeParts module_tree_parts{model, at::kCPU, context.warn, precision.get()};
  levin::core::DistParts dist_parts{processes};
  levin::core::NetworkParts network_parts{false, at::kCPU, context.warn};
  levin::core::DataParts data_parts{loaders, progress, {model, *precision, *strategy, progress}};
};
