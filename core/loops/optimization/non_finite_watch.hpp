// Finds losses and gradients that are not finite. On the CPU the result is available at once. On a device it stays
// there until it is read, so that steps do not synchronize.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

// The position of an optimizer step in the training loop, in Lightning's terms.
struct StepPlace {
  int64_t global_step = 0;  // optimizer steps done before this one
  int64_t epoch = 0;
  int64_t batch_idx = -1;
};

// An optimizer step that was skipped.
struct NonFiniteStep {
  StepPlace place;   // if the loss is not finite, the batch of that loss
  std::string what;  // "the loss is nan", "the gradient of 'fc.weight' is not finite (the loss is 2.5)"
  std::string data;  // description of that batch's non-finite fields; "" if it was not checked
};

class NonFiniteWatch {
 public:
  // Adds the loss of a backward pass whose gradients the next steps use. It counts until forget_losses().
  void see_loss(const at::Tensor& loss, const StepPlace& place = {});
  void forget_losses();
  // Returns true if one of these losses is known not to be finite. Losses on a device are not known yet.
  bool loss_is_bad() const { return loss_is_bad_; }
  void note_data(std::string data) { data_ = std::move(data); }  // of the batch with the first non-finite loss
  // Returns one float on the device for the other processes; not 0 if one of these losses is not finite.
  at::Tensor bad_loss(at::Device device) const;
  // Sets the value of bad_loss() reduced over all processes. It decides for the next step instead of the process's own
  // losses, so that all processes skip the step or none does.
  void share(const at::Tensor& bad_loss) { agreed_ = bad_loss; }
  // Checks the gradients before they are clipped to finite values, for the next passes() or mask().
  void look_ahead(const Optimizer& optimizer);

  // Returns true if the losses and the gradients of this optimizer are finite. Synchronizes with the device. known:
  // true if the gradients are known to be finite.
  bool passes(const Optimizer& optimizer, const StepPlace& place, bool known);
  // Returns the opposite of passes() as a bool on the gradients' device, without synchronization. gradients: false =
  // check only the losses.
  at::Tensor mask(const Optimizer& optimizer, const StepPlace& place, bool gradients = true);

  void add(NonFiniteStep found) { found_.push_back(std::move(found)); }
  // Returns the steps that did not pass since the last call. Results still on a device are included if `wait` is true,
  // or if there are many.
  std::vector<NonFiniteStep> take(bool wait);
  // As take(true), but the steps stay for take().
  const std::vector<NonFiniteStep>& found();

 private:
  // The largest absolute gradient of each parameter, then the losses.
  struct Unread {
    StepPlace place;
    std::vector<const std::string*> names;  // of the parameters; the optimizer owns them
    std::vector<StepPlace> losses;          // where they were computed
    at::Tensor numbers;
  };
  void read_all();
  void read(const Unread& unread);
  static Unread look(const Optimizer& optimizer);  // computes the largest gradients on their device
  void add_losses(std::vector<at::Tensor>& numbers, const at::TensorOptions& options) const;

  double loss_ = std::numeric_limits<double>::quiet_NaN();  // the last loss, or the first that is not finite
  bool loss_is_bad_ = false;
  StepPlace bad_place_;  // of the first loss that is not finite
  std::string data_;
  struct DeviceLoss {
    at::Tensor value;
    StepPlace place;
  };
  std::vector<DeviceLoss> losses_;
  at::Tensor agreed_;             // from share(); undefined = single process
  std::vector<std::string> cut_;  // parameters whose gradients were not finite before clipping
  std::optional<Unread> ahead_;   // the same on a device
  std::vector<Unread> unread_;
  std::vector<NonFiniteStep> found_;
};

}  // namespace levin::core
