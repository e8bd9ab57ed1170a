// Validation, test and the sanity check: runs the model's step on every batch of every loader.
#pragma once
#include <vector>

#include "core/checkpoint/generators.hpp"
#include "core/loops/device_batches.hpp"
#include "core/loops/epoch_outputs.hpp"
#include "core/loops/loop_context.hpp"

namespace levin::core {

class EvaluationLoop {
 public:
  // split: LEVIN_VAL or LEVIN_TEST. The context must outlive the loop.
  EvaluationLoop(const LoopContext& context, uint32_t split);

  // stage: LEVIN_STAGE_VALIDATE, _TEST or _SANITY. most: maximum number of batches per loader; `unlimited` = the limits
  // of the run's options.
  void run(uint32_t stage, int64_t most);
  // The metrics of each loader, after run().
  const std::vector<OrderedMetrics>& results() const { return results_; }
  // The generator states from before the running validation of a fit, which a resumed run repeats. Empty if no
  // validation is running.
  const GeneratorStates& generators_before() const { return generators_before_; }
  // The batches of each loader in all finished validations of the fit: the x-axis of step metrics.
  nlohmann::json state_dict() const { return {{"val_batches_seen", finished_}}; }
  void load_state_dict(const nlohmann::json& state);
  bool enabled() const;  // true if there is a step and data, and the limit is not 0

 private:
  struct Hooks {
    uint32_t eval, train, start, epoch_start, batch_start, batch_end, epoch_end, end;
  };
  static Hooks hooks_of(uint32_t split);
  void reload_if_due();
  void warn_if_empty();
  bool one_after_another() const;
  void begin(uint32_t stage);
  void share_buffers() const;  // collective
  bool is_within_fit() const;
  void begin_within_fit();
  void end_within_fit();
  void run_batches(int64_t most);
  void run_batch(size_t loader);
  void end_epoch();
  void keep_results();
  void end(uint32_t stage);

  const LoopContext& context_;
  RunProgress& progress_;
  const uint32_t split_;
  const Hooks hooks_;
  DeviceBatches batches_;
  levin_step_in in_;
  StepOutputs outputs_;
  EpochOutputs epoch_outputs_;
  bool warned_empty_ = false;
  std::vector<int64_t> seen_;      // batches of each loader over the whole run, with the running evaluation
  std::vector<int64_t> finished_;  // as `seen_`, of finished validations of a fit
  std::vector<OrderedMetrics> results_;
  GeneratorStates generators_before_;
};

}  // namespace levin::core
