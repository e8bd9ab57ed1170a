// The gradients of one optimizer, averaged over processes in buckets: a bucket is on its way as soon as the backward
// pass has computed its last gradient, while the pass goes on, unless sending it means to wait for the others: in the
// pass a process may wait for others already, as batch norm over processes does.
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
  int64_t first_bytes = 1 << 20;  // of the first bucket, which is small so that it is soon on its way
  int64_t bytes = 25 << 20;
  bool find_unused = false;          // parameters without a gradient are allowed; those of all processes are known then
  bool is_static = false;            // the same parameters have gradients in every step: looked at in the first alone
  bool gradients_are_views = false;  // gradients are parts of the buckets, and are not copied back
  GradientCompression compression = GradientCompression::none;
};

class GradientBuckets {
 public:
  GradientBuckets(const Optimizer& optimizer, ProcessGroup& group, BucketOptions options);
  ~GradientBuckets();
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  // Whether the buckets are for these parameters as they are now: groups may be added, and parameters frozen.
  bool fit(const Optimizer& optimizer) const;

  // From now on buckets are sent as soon as they are full. bad_loss: see Strategy.
  void begin(const at::Tensor& bad_loss);
  // Sends what is not sent yet, and waits. A process that has no gradient at all, as its step had no loss, adds
  // nothing; where none has one, none gets one. Throws Error{usage} that names a parameter without a gradient, where
  // all have to have one.
  void finish();
  // One float, not 0 if a loss of any process was not finite; after finish().
  const at::Tensor& bad_loss() const { return bad_loss_; }
  // Whether the gradients are those of finish(): none was added to since, and nobody has forgotten them.
  bool reduced() const { return reduced_; }
  void forget_reduced() { reduced_ = false; }

 private:
  struct Slot {
    at::Tensor param;
    std::string name;
    size_t bucket;
    int64_t offset;
    bool frozen = false;  // it is no longer trained, and has a gradient of before, with which an optimizer steps
    bool given = false;   // whether or not this process has that gradient, another one has it
    bool ready = false, used = false;
  };
  struct Bucket {
    at::Tensor flat;
    std::vector<size_t> slots;
    size_t missing = 0;
    std::unique_ptr<Work> work;
    bool sent = false;
  };
  class Hook;
  using Params = std::vector<std::pair<at::Tensor, bool>>;
  static Params params_of(const Optimizer& optimizer);  // with whether they are trained
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
  std::vector<std::function<void()>> release_;  // takes a hook off a parameter
  at::Tensor bad_loss_;
  std::mutex mutex_;  // gradients of several devices come on several threads
  size_t next_ = 0;   // the bucket that is sent next: the order is the same in all processes
  bool runs_ = false, reduced_ = false, checked_ = false;
};

}  // namespace levin::core
