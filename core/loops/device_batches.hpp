// The batches of one step, one from each loader that provides one, converted and moved to the model's device.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/components/model.hpp"
#include "core/data/batch_feed.hpp"
#include "core/data/source/byte_numbers.hpp"
#include "core/loops/batch_copies.hpp"
#include "core/precision/precision.hpp"
#include "core/progress/run_progress.hpp"
#include "core/strategies/common/strategy.hpp"

namespace levin::core {

class DeviceBatches {
 public:
  // Sets the loader of progress.place to the batch's while transfer hooks run. All arguments must outlive this object.
  DeviceBatches(const Model& model, const Precision& precision, const Strategy& strategy, RunProgress& progress);

  // Sets the place of the running loop to a batch of one loader. n_batches: see LoopPlace.
  void enter(const BatchGroup& group, int64_t n_batches);
  // The same for a training batch, whose index and number are those of the epoch.
  void enter_training(const BatchGroup& group) {
    if (!group.together) progress_.place.dataloader_idx = group.dataloader_idx;
  }
  void leave() { progress_.place.dataloader_idx = -1; }

  // Calls the transfer hooks once for each loader's batch. The moved batches are valid until the next call.
  // channels_last: tensors of four dimensions get this memory format.
  void move(const BatchGroup& group, const std::vector<std::unique_ptr<Loader>>& loaders, bool channels_last = false);

  void release() {
    if (copies_) copies_->finish();
    moved_.clear();
    raw_.clear();
    in_hand_.clear();
    first_ = nullptr;
  }

  // Moves a batch of this loader that is not part of the loop. The result is valid until the next call.
  Batch& move(Batch& batch, size_t loader, const std::vector<const char*>& names);

  size_t size() const { return raw_.size(); }  // loaders that provide batches together
  Batch& first() const { return *first_; }     // from the first loader that is not exhausted
  const std::vector<const char*>& field_names() const { return *names_; }  // of first()

  // Describes which fields are NaN or infinite and in which rows, or says that none is. Returns "" if there is no
  // batch. Synchronizes with the device.
  std::string non_finite_fields() const;

  void show(levin_event& event) const;
  void show(levin_step_in& in) const;

 private:
  void to_device(std::vector<at::Tensor>& tensors);
  Batch& transfer(Batch& batch, size_t loader, const std::vector<const char*>& names);

  const Model& model_;
  const Strategy& strategy_;
  const at::ScalarType input_type_;  // data type of floating-point tensors; Undefined = unchanged
  RunProgress& progress_;
  const bool
      needed_;  // false if batches of numbers can be used as they are: right device and data type, no transfer hooks
  std::unique_ptr<BatchCopies> copies_;        // nullptr = the device is a CPU
  std::vector<std::unique_ptr<Batch>> moved_;  // one for each loader
  std::vector<ByteNumbers> numbers_;           // one for each loader
  std::vector<const levin_batch*> raw_;        // nullptr = the loader is exhausted
  std::vector<const Batch*> in_hand_;          // the non-null entries of raw_
  Batch* first_ = nullptr;
  const std::vector<const char*>* names_ = nullptr;
};

}  // namespace levin::core
