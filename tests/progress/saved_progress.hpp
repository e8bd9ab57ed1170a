// The state of a fit's loops as a checkpoint has it, put together by a test.
#pragma once
#include <vector>

#include "core/progress/run_progress.hpp"

struct SavedProgress {
  levin::core::Progress epoch, batch, optimizer_step, manual_step, val_batch;
  std::vector<int64_t> val_batches_seen;
  int64_t batches_that_stepped = 0;
  int tail = 0;  // 0 = between batches or in a step, 1 = after a step, 2 = after its validation
  bool is_last_batch = false, validating = false, epoch_cut = false, schedules_pending = false;
  bool window_open = false, ends_window = true;

  nlohmann::json state_dict() const {
    nlohmann::json state = levin::core::RunProgress().state_dict();
    put(state, "epoch_progress", epoch);
    put(state, "epoch_loop.batch_progress", batch);
    put(state, "epoch_loop.automatic_optimization.optim_progress.optimizer.step", optimizer_step);
    put(state, "epoch_loop.manual_optimization.optim_step_progress", manual_step);
    put(state, "epoch_loop.val_loop.batch_progress", val_batch);
    state.update({{"epochs_completed", epoch.total.completed},
                  {"global_step", optimizer_step.total.completed + manual_step.total.completed},
                  {"batches_that_stepped", batches_that_stepped},
                  {"is_last_batch", is_last_batch},
                  {"tail", tail},
                  {"validating", validating},
                  {"epoch_cut", epoch_cut},
                  {"epoch_schedules_pending", schedules_pending},
                  {"window_open", window_open},
                  {"ends_window", ends_window},
                  {"val_batches_seen", val_batches_seen}});
    return state;
  }

 private:
  static nlohmann::json counts(const levin::core::Counter& c) {
    return {{"ready", c.ready}, {"started", c.started}, {"processed", c.processed}, {"completed", c.completed}};
  }
  static void put(nlohmann::json& state, const char* name, const levin::core::Progress& p) {
    state["progress"][name] = {{"total", counts(p.total)}, {"current", counts(p.current)}};
  }
};

// The progress of a run that has completed these epochs and optimizer steps.
inline void put_progress(levin::core::RunProgress& progress, int64_t epochs, int64_t steps) {
  SavedProgress saved;
  saved.epoch.total = saved.epoch.current = {epochs, epochs, epochs, epochs};
  saved.optimizer_step.total = {steps, steps, steps, steps};
  progress.load_state_dict(saved.state_dict());
}
