// The loggers of a run.
#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/logging/metrics/ordered_metrics.hpp"
#include "core/logging/run_logger.hpp"

namespace levin::core {

class LoggerList {
 public:
  LoggerList(std::vector<std::unique_ptr<Logger>> loggers, Warn warn, const DeliveryLimits& limits = {});

  // Returns true if the loggers accept calls; earlier calls are lost.
  bool began() const { return began_ || empty(); }
  bool empty() const { return loggers_.empty(); }
  const std::vector<std::unique_ptr<RunLogger>>& all() const { return loggers_; }
  // Throws Error if a logger fails: a logger that cannot begin is a configuration error and ends the run.
  void begin(const levin_logger_begin& begin);
  void metrics(int64_t step, const OrderedMetrics& metrics);
  void metrics(int64_t step, const char* const* names, const double* values, uint32_t n);
  void media(const levin_media& media);
  void artifact(const levin_artifact& artifact);
  void hparams(const std::string& text);  // JSON; before begin(), they are kept and sent after it
  void after_save(const levin_saved& saved);
  void flush();

  // From here on counts rows and media, because a run resumed from a checkpoint of this time logs them again.
  void begin_repeated() {
    repeated_ = 0;
    left_out_ = std::exchange(to_leave_out_, 0);
  }
  void end_repeated() {
    repeated_.reset();
    left_out_ = 0;
  }
  // Returns the number of calls that a run resumed from a checkpoint of this time logs again.
  uint64_t repeated() const { return repeated_.value_or(0); }
  // In a resumed run: skips its first `calls` repeated calls, which the loggers already have.
  void leave_out(uint64_t calls) { to_leave_out_ = calls; }

  // Waits for loggers with threads of their own, at most `seconds` in total.
  void finalize(const char* status, double seconds);

 private:
  using Kind = LoggerCall::Kind;
  template <class Takes>
  void tell_if_nobody_takes(const char* what, const std::string& which, Takes&& takes);
  std::vector<std::unique_ptr<RunLogger>> loggers_;
  Warn warn_;
  bool repeats();
  bool began_ = false;
  std::optional<uint64_t> repeated_;
  uint64_t to_leave_out_ = 0, left_out_ = 0;
  std::vector<std::string> early_hparams_;
  std::set<std::string> warned_;
};

}  // namespace levin::core
