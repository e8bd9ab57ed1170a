// Averages the gradients of one optimizer over processes, in buckets. A bucket is sent as soon as the backward pass has
// computed its last gradient, while the pass goes on. It is sent after the pass if sending it would block until the
// other processes send theirs, because these may be blocked inside the pass, as in synchronized batch norm.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/config/trainer/trainer_enums.hpp"
#include "core/distributed/process_group.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

struct BucketOptions {
  int64_t first_bytes = 1 << 20;  // of the first bucket, small so that it is sent early
  int64_t bytes = 25 << 20;
  bool find_unused = false;  // parameters without a gradient are allowed; one more all-reduce finds the used ones
  bool is_static = false;    // the same parameters have gradients in every step: checked in the first step only
  bool gradients_are_views = false;  // gradients are views of the buckets, so they are not copied back
  GradientCompression compression = GradientCompression::none;
};

class GradientBuckets {
 public:
  GradientBuckets(const Optimizer& optimizer, ProcessGroup& group, BucketOptions options);
  ~GradientBuckets();
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  // Returns true if the buckets match the optimizer's current parameters: groups may have been added, and parameters
  // frozen.
  bool fit(const Optimizer& optimizer) const;

  // Starts a reduction: from now on full buckets are sent. bad_loss: see Strategy.
  void begin(const at::Tensor& bad_loss);
  // Sends the remaining buckets and waits for all. A process without any gradient, as its step had no loss, contributes
  // zeros; if no process has a gradient, none is set. Throws Error{usage} that names a parameter without a gradient,
  // where every parameter must have one.
  void finish();
  // One float, not 0 if a loss of any process was not finite. Valid after finish().
  const at::Tensor& bad_loss() const { return bad_loss_; }
  // Returns true if the gradients are those of finish(): none was added since, and forget_reduced() was not called.
  bool reduced() const { return reduced_; }
  void forget_reduced() { reduced_ = false; }

 private:
  struct Slot {
    at::Tensor param;
    std::string name;
    size_t bucket;
    int64_t offset;
    bool frozen = false;  // no longer trained, but a process has an old gradient of it, with which its optimizer steps
    bool given = false;   // some process has that old gradient; reset by finish()
    bool ready = false, used = false;
  };
  struct Bucket {
    at::Tensor flat;
    std::vector<size_t> slots;
    size_t missing = 0;
    std::unique_ptr<Work> work;
  };
  class Hook;
  using Params = std::vector<std::pair<at::Tensor, bool>>;
  static Params params_of(const Optimizer& optimizer);  // the bool: requires_grad
  std::vector<bool> frozen_with_gradients() const;
  void assign(const Optimizer& optimizer);
  void add_bucket(std::vector<size_t> slots, int64_t elements);
  void watch_gradients();
  void on_gradient(size_t slot);
  at::Tensor part_of(const Slot& slot) const;
  void fill(Slot& slot);
  enum class Waiting { may_wait, must_not_wait };
  void send_full_buckets(Waiting waiting);
  void send(Bucket& bucket);
  std::vector<bool> anywhere(const std::vector<bool>& here) const;
  std::vector<bool> used_anywhere() const;
  void check_all_used() const;
  bool has_gradients() const;
  void take_back(const std::vector<bool>& used);

  ProcessGroup& group_;
  const BucketOptions options_;
  const Params params_;
  std::vector<Slot> slots_;
  std::vector<Bucket> buckets_;
  std::vector<std::function<void()>> release_;  // each removes a hook from a parameter
  at::Tensor bad_loss_;
  std::mutex mutex_;  // gradients of several devices arrive on several threads
  size_t next_ = 0;   // the next bucket to send: the order is the same in all processes
  bool runs_ = false, reduced_ = false, checked_ = false;
};

}  // namespace levin::core
