// levin::Event: what a hook is told. It is borrowed for the call, as are the tensors and batches that it hands out.
// Numbers that a hook does not have are -1, or 0 for the epoch and the step.
#pragma once
#include <string>

#include "levin/detail/run_data.hpp"
#include "levin/state.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

enum class Stage : uint32_t { fit, validate, test, predict, sanity };

// What a hook may answer: LEVIN_OK, LEVIN_STOP, LEVIN_SKIP or LEVIN_SKIP_EPOCH. A type of its own, because the 1 of a
// plain int, or true, would be LEVIN_STOP.
class Status {
 public:
  constexpr Status(levin_status status) : status_(status) {}
  constexpr operator levin_status() const { return status_; }

 private:
  levin_status status_;
};

class Event {
 public:
  Event(const detail::Services* services, const levin_event* raw) : services_(services), raw_(raw) {}
  // The run, for everything else that one may ask.
  levin::Run run() const { return levin::Run(services_, raw_->run); }
  // Stage::fit also while a fit validates.
  Stage stage() const { return static_cast<Stage>(raw_->stage); }
  int64_t epoch() const { return raw_->epoch; }  // from 0; after the end of an epoch, the number of completed epochs
  int64_t global_step() const { return raw_->global_step; }        // optimizer steps done
  int64_t batch_idx() const { return raw_->batch_idx; }            // of the batch in its epoch, from 0
  int64_t dataloader_idx() const { return raw_->dataloader_idx; }  // of the batch's loader, from 0
  int64_t optimizer_idx() const { return raw_->optimizer_idx; }    // of the optimizer whose turn it is, from 0
  int64_t n_batches() const { return raw_->n_batches; }            // of this loader in this epoch; -1: unknown
  // on_exception: what went wrong. on_checkpoint_durable: the path of the checkpoint. Else "".
  std::string text() const { return raw_->text ? raw_->text : ""; }
  Writer writer() const { return Writer(raw_->writer); }  // on_save_checkpoint
  Reader reader() const { return Reader(raw_->reader); }  // on_load_checkpoint
  // A tensor that the step returned, by its name; nullptr if it returned none of that name.
  levin_tensor* output(const std::string& name) const {
    for (uint64_t i = 0; i < raw_->n_outputs; ++i)
      if (name == raw_->outputs[i].name) return raw_->outputs[i].tensor;
    return nullptr;
  }
  // The value of a tensor of one element. It waits for the device.
  double item(levin_tensor* tensor) const {
    double value;
    detail::check(services_->host->tensor_item(services_->host, tensor, &value), "tensor_item");
    return value;
  }
  // The batch of every loader that gives one now; nullptr stands for a loader that is exhausted. Empty in a hook
  // without a batch.
  std::vector<const levin_batch*> batches() const {
    if (!LEVIN_HAS(levin_event, raw_, n_loaders) || raw_->n_loaders == 0) return {};
    return {raw_->batches, raw_->batches + raw_->n_loaders};
  }
  levin_tensor* loss() const { return raw_->loss; }  // nullptr: the hook has none
  const levin_event& raw() const { return *raw_; }

 private:
  const detail::Services* services_;
  const levin_event* raw_;
};

}  // namespace levin
#pragma GCC visibility pop
