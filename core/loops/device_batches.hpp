// The batches of one step, one of each loader that provides one, converted and moved to the device of the model.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/components/model.hpp"
#include "core/data/batch_feed.hpp"
#include "core/precision/precision.hpp"
#include "core/progress/run_progress.hpp"
#include "core/strategies/common/strategy.hpp"

namespace levin::core {

class DeviceBatches {
 public:
  // While transfer hooks run, progress.place.dataloader_idx is the batch's loader. All arguments must outlive this
  // object.
  DeviceBatches(const Model& model, const Precision& precision, const Strategy& strategy, RunProgress& progress);

  // Calls the transfer hooks once for each loader's batch. The moved batches are valid until the next call.
  void move(const BatchGroup& group, const std::vector<std::unique_ptr<Loader>>& loaders);

  // A batch of that loader which is none of the loop's own; valid until the next call.
  Batch& move(Batch& batch, size_t loader, const std::vector<const char*>& names);

  size_t size() const { return raw_.size(); }                              // loaders that provide batches together
  Batch& first() const { return *first_; }                                 // of the first loader that is not exhausted
  const std::vector<const char*>& field_names() const { return *names_; }  // of first()

  // Describes which fields are NaN or infinite, and in which rows, or says that none is; "" if there is no batch. Waits
  // for a device.
  std::string non_finite_fields() const;

  void show(levin_event& event) const;
  void show(levin_step_in& in) const;

 private:
  Batch& transfer(Batch& batch, size_t loader, const std::vector<const char*>& names);

  const Model& model_;
  const Strategy& strategy_;
  const at::ScalarType input_type_;  // floating-point tensors are converted to it; Undefined: they stay as they are
  RunProgress& progress_;
  const bool needed_;  // false if batches can be used as they are: right device, right type, no transfer hooks
  std::vector<std::unique_ptr<Batch>> moved_;  // one for each loader
  std::vector<const levin_batch*> raw_;        // nullptr: the loader is exhausted
  std::vector<const Batch*> in_hand_;          // those of raw_ that there are
  Batch* first_ = nullptr;
  const std::vector<const char*>* names_ = nullptr;
};

}  // namespace levin::core
