// Finds losses and gradients that are not finite. On a CPU the answer is there at once; on a device it stays there
// until somebody reads it, so that no step waits.
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

// The place of an optimizer's step in the training loop, in Lightning's terms.
struct StepPlace {
  int64_t global_step = 0;  // the optimizer steps done before it
  int64_t epoch = 0;
  int64_t batch_idx = -1;
};

// An optimizer's step that was left out.
struct NonFiniteStep {
  StepPlace place;   // if the loss is not finite, the batch is the one that gave the loss
  std::string what;  // "the loss is nan", "the gradient of 'fc.weight' is not finite (the loss is 2.5)"
  std::string data;  // what was found in that batch; "" if nobody has looked
};

class NonFiniteWatch {
 public:
  // The loss of a backward whose gradients the next steps use, until forget_losses().
  void see_loss(const at::Tensor& loss, const StepPlace& place = {});
  void forget_losses();
  // Returns true if one of these losses is known not to be finite. Those on a device are not known yet.
  bool loss_is_bad() const { return loss_is_bad_; }
  void note_data(std::string data) { data_ = std::move(data); }  // of the batch that gave the first such loss
  // One float on the device, not 0 if one of these losses is not finite, for other processes.
  at::Tensor bad_loss(at::Device device) const;
  // What all processes have agreed on for the coming step, by which all of them leave it out or none: a loss that they
  // do not know yet, of another optimizer's backward, does not count for it.
  void share(const at::Tensor& bad_loss) { agreed_ = bad_loss; }
  // Looks at the gradients before they are cut to finite values, for the next passes() or mask().
  void look_ahead(const Optimizer& optimizer);

  // Whether the losses and the gradients of this optimizer are finite. Waits for a device. known: the gradients are.
  bool passes(const Optimizer& optimizer, const StepPlace& place, bool known);
  // The opposite, as a bool on the device of the gradients, without waiting. gradients: false looks at the losses
  // alone.
  at::Tensor mask(const Optimizer& optimizer, const StepPlace& place, bool gradients = true);

  void add(NonFiniteStep found) { found_.push_back(std::move(found)); }
  // The steps that did not pass since the last call. Those that only a device knows of are among them if `wait` is
  // true, or if there are many.
  std::vector<NonFiniteStep> take(bool wait);
  // The same, with those that devices know of, but they stay for take().
  const std::vector<NonFiniteStep>& found();

 private:
  // The largest gradient of each parameter, then the losses.
  struct Unread {
    StepPlace place;
    std::vector<const std::string*> names;  // of the parameters; the optimizer owns them
    std::vector<StepPlace> losses;          // where they were computed
    at::Tensor numbers;
  };
  void read_all();
  void read(const Unread& unread);
  static Unread look(const Optimizer& optimizer);  // at the gradients, on their device
  void add_losses(std::vector<at::Tensor>& numbers, const at::TensorOptions& options) const;

  double loss_ = std::numeric_limits<double>::quiet_NaN();  // the last one, or the first that is not finite
  bool loss_is_bad_ = false;
  StepPlace bad_place_;  // of the first loss that is not finite
  std::string data_;
  struct DeviceLoss {
    at::Tensor value;
    StepPlace place;
  };
  std::vector<DeviceLoss> losses_;
  at::Tensor agreed_;             // of share(); undefined: there are no other processes
  std::vector<std::string> cut_;  // gradients that were not finite before they were cut
  std::optional<Unread> ahead_;   // the same on a device
  std::vector<Unread> unread_;
  std::vector<NonFiniteStep> found_;
};

}  // namespace levin::core
