// The batches that one step sees: of each loader that gives one, moved to where the model is.
#pragma once
#include <memory>
#include <vector>

#include "core/data/batch_feed.hpp"
#include "core/loops/batch_transfer.hpp"
#include "core/loops/run_context.hpp"

namespace levin::core {

class StepBatches {
 public:
  explicit StepBatches(RunContext& context) : c_(context) {}
  // The model's transfer hooks run for each loader's batch by itself; while they do, the position names its loader.
  void take(const BatchGroup& group, const std::vector<std::unique_ptr<Loader>>& loaders);

  size_t size() const { return raw_.size(); }                              // loaders that give their batches together
  Batch& first() const { return *first_; }                                 // of the first loader that is not exhausted
  const std::vector<const char*>& field_names() const { return *names_; }  // of first()

  void show(levin_event& event) const;
  void show(levin_step_in& in) const;

 private:
  RunContext& c_;
  std::vector<std::unique_ptr<BatchTransfer>> transfers_;  // one a loader
  std::vector<const levin_batch*> raw_;                    // nullptr: the loader is exhausted
  Batch* first_ = nullptr;
  const std::vector<const char*>* names_ = nullptr;
};

}  // namespace levin::core
