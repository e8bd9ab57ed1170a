// The batches that one step sees: of each loader that gives one, converted and moved to the device of the model.
#pragma once
#include <memory>
#include <vector>

#include "core/components/model.hpp"
#include "core/data/batch_feed.hpp"
#include "core/precision/precision.hpp"
#include "core/progress/run_progress.hpp"
#include "core/strategies/strategy.hpp"

namespace levin::core {

class DeviceBatches {
 public:
  // progress: names the loader while the model's transfer hooks run. All outlive this.
  DeviceBatches(const Model& model, const Precision& precision, const Strategy& strategy, RunProgress& progress);

  // The model's transfer hooks run for each loader's batch by itself. What is moved lives until the next call.
  void move(const BatchGroup& group, const std::vector<std::unique_ptr<Loader>>& loaders);

  size_t size() const { return raw_.size(); }                              // loaders that give their batches together
  Batch& first() const { return *first_; }                                 // of the first loader that is not exhausted
  const std::vector<const char*>& field_names() const { return *names_; }  // of first()

  void show(levin_event& event) const;
  void show(levin_step_in& in) const;

 private:
  Batch& transfer(Batch& batch, size_t loader, const std::vector<const char*>& names);

  const Model& model_;
  const Strategy& strategy_;
  const at::ScalarType input_type_;  // of floating-point inputs; Undefined: they stay as they are
  RunProgress& progress_;
  const bool needed_;                          // else batches are used where they lie
  std::vector<std::unique_ptr<Batch>> moved_;  // one a loader
  std::vector<const levin_batch*> raw_;        // nullptr: the loader is exhausted
  Batch* first_ = nullptr;
  const std::vector<const char*>* names_ = nullptr;
};

}  // namespace levin::core
