// levin::Event: the argument of a hook. It is borrowed for the call, and so are its tensors and batches. Numbers that
// do not apply to a hook are -1; epoch and step are then 0.
#pragma once
#include <string>

#include "levin/detail/run_data.hpp"
#include "levin/state.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

enum class Stage : uint32_t { fit, validate, test, predict, sanity };

// The result of a hook: LEVIN_OK, LEVIN_STOP, LEVIN_SKIP or LEVIN_SKIP_EPOCH. It is a type of its own, because a plain
// 1 or true would mean LEVIN_STOP.
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
  // The services of the trainer.
  levin::Run run() const { return levin::Run(services_, raw_->run); }
  // Stage::fit also during the validation of a fit.
  Stage stage() const { return static_cast<Stage>(raw_->stage); }
  int64_t epoch() const { return raw_->epoch; }  // from 0; after the end of an epoch: the number of completed epochs
  int64_t global_step() const { return raw_->global_step; }        // optimizer steps done
  int64_t batch_idx() const { return raw_->batch_idx; }            // of the batch in its epoch, from 0
  int64_t dataloader_idx() const { return raw_->dataloader_idx; }  // of the batch's loader, from 0
  int64_t optimizer_idx() const { return raw_->optimizer_idx; }    // of the current optimizer, from 0
  int64_t n_batches() const { return raw_->n_batches; }            // of this loader in this epoch; -1 = unknown
  // on_exception: the error message. on_checkpoint_durable: the path of the checkpoint. Else "".
  std::string text() const { return raw_->text ? raw_->text : ""; }
  Writer writer() const { return Writer(raw_->writer); }  // on_save_checkpoint
  Reader reader() const { return Reader(raw_->reader); }  // on_load_checkpoint
  // Returns an output of the step by name, or nullptr if there is none of that name.
  levin_tensor* output(const std::string& name) const {
    for (uint64_t i = 0; i < raw_->n_outputs; ++i) {
      const levin_named* output = LEVIN_AT(levin_named, raw_->outputs, raw_->output_size, i);
      if (name == output->name) return output->tensor;
    }
    return nullptr;
  }
  // Returns the value of a tensor of one element. Waits for the device.
  double item(levin_tensor* tensor) const {
    double value;
    detail::check(services_->host->tensor_item(services_->host, tensor, &value), "tensor_item");
    return value;
  }
  // Returns the batch of every loader combined in this step; nullptr = exhausted loader. Empty in a hook without a
  // batch.
  std::vector<const levin_batch*> batches() const { return {raw_->batches, raw_->batches + raw_->n_loaders}; }
  levin_tensor* loss() const { return raw_->loss; }  // nullptr = none
  const levin_event& raw() const { return *raw_; }

 private:
  const detail::Services* services_;
  const levin_event* raw_;
};

}  // namespace levin
#pragma GCC visibility pop
