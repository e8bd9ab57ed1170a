#include "core/checkpoint/state/training_state.hpp"

#include <filesystem>
#include <memory>
#include <new>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/base/value_scope.hpp"
#include "core/checkpoint/save_queue.hpp"
#include "core/checkpoint/state/loop_states.hpp"
#include "core/checkpoint/state/model_tensors.hpp"
#include "core/checkpoint/state/read_part.hpp"
#include "core/optim/finite.hpp"

namespace levin::core {
namespace {

// Learning rates and momenta of each group of each optimizer, which schedules set; 0 where an optimizer has none.
using Rates = std::vector<std::vector<std::pair<double, double>>>;

Rates rates_of(OptimizerSet& set) {
  Rates out;
  for (const auto& optimizer : set.optimizers()) {
    out.emplace_back();
    for (size_t g = 0; g < optimizer->group_count(); ++g)
      out.back().emplace_back(optimizer->has("lr") ? optimizer->lr(g) : 0,
                              optimizer->has_momentum() ? optimizer->momentum(g) : 0);
  }
  return out;
}

void set_rates(OptimizerSet& set, const Rates& rates) {
  for (size_t i = 0; i < rates.size(); ++i)
    for (size_t g = 0; g < rates[i].size(); ++g) {
      Optimizer& optimizer = *set.optimizers()[i];
      if (optimizer.has("lr")) optimizer.set_lr(g, rates[i][g].first);
      if (optimizer.has_momentum()) optimizer.set_momentum(g, rates[i][g].second);
    }
}

}  // namespace

void TrainingState::tell_loggers(const SavedFile& file) {
  const std::string absolute = std::filesystem::absolute(file.path).lexically_normal().string();
  levin_saved saved{};
  saved.size = sizeof saved;
  saved.flags = file.facts.flags;
  saved.path = absolute.c_str();
  saved.monitor = file.facts.monitor.empty() ? nullptr : file.facts.monitor.c_str();
  saved.score = file.facts.score;
  saved.epoch = file.epoch;
  saved.global_step = file.global_step;
  run_.loggers.after_save(saved);
}

// A file with such weights would become the best or the last checkpoint, and a run resumed from it learns nothing.
void TrainingState::refuse_non_finite(const std::string& path) const {
  const std::string name = first_non_finite(run_.context.model.parameters());
  if (!name.empty())
    throw Error(ErrorCode::checkpoint_not_finite,
                path + " is not saved: the parameter '" + name +
                    "' is NaN or infinite; resume from an earlier checkpoint with a lower "
                    "learning rate, or save it anyway with --trainer.non_finite ignore");
}

// A save within a hook of a save would recurse without end.
void TrainingState::save(const std::string& path, uint32_t flags, const SavedFacts& facts) {
  if (saving_)
    throw Error(ErrorCode::call_invalid,
                "save_checkpoint cannot be called while a checkpoint is saved, as in on_save_checkpoint and "
                "on_checkpoint_durable; save in another hook, such as on_train_epoch_end");
  if (run_.context.plan.numerics.non_finite != NonFinite::ignore) refuse_non_finite(path);
  const ValueScope<bool> saving(saving_, true);
  const RunProgress& progress = run_.context.progress;
  const bool weights_only = (flags & LEVIN_SAVE_WEIGHTS_ONLY) != 0;
  if (!weights_only && run_.context.strategy.shards_optimizers() && !run_.processes.whole())
    throw Error(ErrorCode::rank_lost, path +
                                          " is not saved: another rank is lost, and with it its part of "
                                          "the state of the optimizers");
  const std::vector<RankState> ranks = weights_only ? std::vector<RankState>() : gather_rank_states(run_);
  if (!run_.processes.world().is_first()) return;
  const bool async = (flags & LEVIN_SAVE_ASYNC) != 0;
  const SavedFile what{path, facts, progress.current_epoch(), progress.global_step()};
  if (!async || !is_last_save(flags)) files_.wait();
  if (!is_last_save(flags)) {
    write(what, flags, ranks);
  } else if (async) {
    files_.add([from = last_save_.path, path] { name_also(from, path); }, what);
  } else {
    name_also(last_save_.path, path);
    files_.done(what);
  }
  if (!async) tell_saved();
}

nlohmann::json TrainingState::counters() {
  nlohmann::json all = run_.fit.state_dict();
  all.erase("train_seconds");
  return all;
}

// Returns true if the last save holds the state that is to be saved, as the caller claims. Returns false if that file
// could not be written.
bool TrainingState::is_last_save(uint32_t flags) {
  return (flags & LEVIN_SAVE_SAME) != 0 && !last_save_.path.empty() && !files_.failed() &&
         last_save_.weights_only == ((flags & LEVIN_SAVE_WEIGHTS_ONLY) != 0) && last_save_.counters == counters();
}

void TrainingState::write(const SavedFile& what, uint32_t flags, const std::vector<RankState>& ranks) {
  const bool weights_only = (flags & LEVIN_SAVE_WEIGHTS_ONLY) != 0;
  const auto out = std::make_shared<CheckpointWriter>();
  collect(*out, what.path, weights_only);
  put_rank_states(*out, ranks);
  const auto job = [this, out, path = what.path] {
    if (run_.files) run_.files->sync(run_.context.warn);
    out->write(path);
  };
  if ((flags & LEVIN_SAVE_ASYNC) != 0 && copied(*out)) {
    files_.add(job, what);
  } else {
    job();
    files_.done(what);
  }
  last_save_ = {what.path, weights_only, counters()};
}

// Returns false if there is no memory for a copy; the file is then written at once.
bool TrainingState::copied(CheckpointWriter& out) try {
  out.copy_into(memory_);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void TrainingState::tell_saved() {
  while (const auto file = files_.next_saved()) {
    tell_loggers(*file);
    run_.processes.launcher().say("saved", file->path);
    run_.context.hooks.fire(LEVIN_HOOK_CHECKPOINT_DURABLE, run_.context.progress,
                            [&](levin_event& e) { e.text = file->path.c_str(); });
  }
}

void TrainingState::deliver() {
  {
    const ValueScope<bool> saving(saving_, true);
    tell_saved();
  }
  files_.throw_failure();
}

void TrainingState::finish() {
  files_.wait();
  memory_.release();
  deliver();
}

void TrainingState::wait() {
  files_.wait();
  files_.check();
}

void TrainingState::collect(CheckpointWriter& out, const std::string& path, bool weights_only) {
  run_.loggers.flush();  // a resumed run does not log again what was logged so far
  nlohmann::json& m = out.manifest();
  m = run_.provenance();
  m["run"] = lineage_.run;
  m["saves"] = ++lineage_.saves;
  m["weights_only"] = weights_only;
  if (const int processes = run_.processes.world().size; processes > 1) m["world_size"] = processes;
  m["epoch"] = run_.context.progress.current_epoch();
  m["global_step"] = run_.context.progress.global_step();
  m["loops"] = loops_state(run_);
  if (!weights_only) {
    m["components"] = nlohmann::json::object();
    save_callbacks(run_, out);
    save_loggers(run_, out);
    if (run_.context.accumulation.is_open()) put_gradients(out, run_.context.model);
    put_train_outputs(out, run_.fit.outputs().steps());
    save_fit(run_, out);
  }
  save_component(out, "model", run_.context.model);
  save_component(out, "data", run_.data);
  StateBag extra;
  const levin_writer writer = extra.writer();
  run_.context.hooks.fire(LEVIN_HOOK_SAVE_CHECKPOINT, run_.context.progress,
                          [&](levin_event& e) { e.writer = &writer, e.text = path.c_str(); });
  put_weights(out, run_.context.model, extra);
  out.put("extra", extra);
}

void TrainingState::load_weights(const CheckpointReader& file) { core::load_weights(file, run_.context.model); }

void TrainingState::load_gradients(const CheckpointReader& file) {
  if (run_.context.accumulation.is_open()) core::load_gradients(file, run_.context.model);
}

void TrainingState::load_loggers(const CheckpointReader& file) { core::load_loggers(run_, file); }

FoundPosition TrainingState::load_position(const CheckpointReader& file) { return load_loops(run_, file); }

void TrainingState::load_model(const CheckpointReader& file, bool callbacks) {
  read_part(file, "the state of the model", [&] {
    load_weights(file);
    load_component(run_, file, "model", run_.context.model);
    load_component(run_, file, "data", run_.data);
    tell_loaded(file);
    if (callbacks) load_callbacks(run_, file);
  });
}

void TrainingState::load_learned(const CheckpointReader& file) {
  read_part(file, "the state of the model", [&] {
    load_weights(file);
    load_component(run_, file, "model", run_.context.model);
  });
  const auto rates = rates_of(run_.optimizers);
  load_optimizers(run_, file);
  set_rates(run_.optimizers, rates);
}

void TrainingState::tell_loaded(const CheckpointReader& file) {
  const StateBag extra = file.bag("extra");
  const nlohmann::json& m = file.manifest();
  run_.context.hooks.load_checkpoint(run_.context.progress, extra.reader(""), file.path(), m.value("epoch", int64_t{0}),
                                     m.value("global_step", int64_t{0}));
}

void TrainingState::load_training(const CheckpointReader& file, const FoundPosition& found) {
  read_part(file, "the outputs of training steps", [&] {
    const at::Device device = run_.context.strategy.device();
    run_.fit.outputs().restore(found.within_epoch() ? load_train_outputs(file, device) : EpochSteps{});
  });
  load_fit(run_, file);
  if (lineage_of(file.manifest()).run == lineage_.run) last_save_ = {file.path(), /*weights_only=*/false, counters()};
}

}  // namespace levin::core
