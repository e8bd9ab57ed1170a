// A logger in a run: which calls it may get, on which thread, and its state for checkpoints. A logger that fails after
// it has begun does not end the run: the failure causes one warning, and the logger is skipped from then on.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/base/error.hpp"
#include "core/logging/delivery.hpp"

namespace levin::core {

// A file that holds the number of a logger's last delivered call, so that a resumed run repeats none of them.
class DeliveredMark {
 public:
  // Without a run folder ("") nothing is written: such a run cannot be resumed.
  DeliveredMark(const std::filesystem::path& run_dir, const std::string& logger);
  ~DeliveredMark();
  DeliveredMark(const DeliveredMark&) = delete;
  DeliveredMark& operator=(const DeliveredMark&) = delete;

  uint64_t read() const;  // 0 = no call was delivered
  // The write survives the process, even if it is killed. A failure is ignored: a resumed run then repeats calls.
  void write(uint64_t number) const;

 private:
  int file_ = -1;
};

class RunLogger {
 public:
  RunLogger(std::unique_ptr<Logger> logger, const DeliveryLimits& limits, Warn warn);
  ~RunLogger();
  RunLogger(const RunLogger&) = delete;
  RunLogger& operator=(const RunLogger&) = delete;

  const Logger& logger() const { return *logger_; }
  // In a resumed run, before begin(): loads the logger's state (load_component loads a component) and its queued calls.
  // A failure ends the run; the logger then gets no further call.
  void load(StateBag state, const StateBag& waiting, const std::function<void(Component&)>& load_component);
  void begin(const levin_logger_begin& begin);  // throws Error
  const std::string& url() const { return url_; }

  // Makes a call: at once by `now`, or later with the copy that `copy` returns.
  template <class Now, class Copy>
  void call(LoggerCall::Kind kind, Now&& now, Copy&& copy) {
    if (phase_ != Phase::began) return;
    if (delivery_) {
      if (delivery_->takes(kind)) delivery_->put(copy());
      return;
    }
    guarded([&] { now(static_cast<const Logger&>(*logger_)); });
  }
  // Waits for the logger's queued calls. Calls still queued at the deadline are lost, with a warning, and the logger is
  // skipped from then on.
  void finish(Delivery::Clock::time_point deadline);

  // For a checkpoint: the logger's state, and its queued calls. The state is the current one, or an earlier one if the
  // logger is skipped or has a thread of its own. Empty bags are not to be saved.
  StateBag state();
  StateBag waiting_calls() const;

 private:
  enum class Phase { made, began, left_out };
  void guarded(const std::function<void()>& call);
  void save_state();
  void repeat_calls();

  std::unique_ptr<Logger> logger_;
  DeliveryLimits limits_;
  Warn warn_;
  Phase phase_ = Phase::made;
  std::string url_;
  StateBag state_;         // the last known state
  WaitingCalls repeated_;  // queued calls of the resumed run, until begin()
  std::unique_ptr<Delivery> delivery_;
};

}  // namespace levin::core
