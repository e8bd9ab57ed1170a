// Windows of gradient accumulation: Lightning's rules, as pure functions.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace levin::core {

// Maps an epoch (0-based) to the number of batches in an accumulation window from that epoch on.
using AccumulationSchedule = std::map<int64_t, int64_t>;

// Returns the number of batches in a window in this epoch, or nullopt if the schedule begins with a later epoch.
std::optional<int64_t> window_at(const AccumulationSchedule& schedule, int64_t epoch);

// The position of a batch in its accumulation window. After `size` batches, whose gradients are divided by `size` and
// summed, an optimizer step follows.
struct AccumulationWindow {
  bool starts;    // gradients are set to zero first
  bool ends;      // an optimizer step follows
  int64_t size;   // batches in a window
  double factor;  // of the gradients before the step: 1, or more to turn the sum of a short last window into a mean
};

// The first batch of an epoch starts a window and the last one ends it. With `exact`, a window cut short by the end of
// the epoch is averaged over its own number of batches.
AccumulationWindow accumulation_window(int64_t batch_idx, int64_t size, bool is_last_batch, bool exact);

// Gradient accumulation in a running fit: the current number of batches per window, and the state of the window.
class Accumulation {
 public:
  explicit Accumulation(int64_t batches = 1) : batches_(batches) {}
  int64_t batches() const { return batches_; }  // per window
  void set_batches(int64_t batches) { batches_ = batches; }
  bool is_open() const { return open_; }            // gradients of an unfinished window exist
  bool steps() const { return steps_; }             // an optimizer step follows the current batch
  void begin_epoch() { steps_ = true; }             // there is no batch yet
  void begin_batch(bool steps) { steps_ = steps; }  // a skipped batch has no step
  void end_batch() { open_ = !steps_; }             // its gradients were computed, and used if it steps
  void drop() { open_ = false; }                    // the gradients are not to be used
  nlohmann::json state_dict() const;
  void load_state_dict(const nlohmann::json& state);

 private:
  int64_t batches_;
  bool open_ = false, steps_ = true;
};

// Returns the number of optimizer steps of the fit, limited by max_steps (-1 = no limit), or nullopt if it is
// unbounded. batches: length of an epoch, nullopt = unknown.
std::optional<int64_t> estimated_stepping_batches(std::optional<int64_t> batches, int64_t window, int64_t max_epochs,
                                                  int64_t max_steps);

}  // namespace levin::core
