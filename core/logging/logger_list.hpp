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
  using Warn = RunLogger::Warn;
  LoggerList(std::vector<std::unique_ptr<Logger>> loggers, Warn warn, const DeliveryLimits& limits = {});

  // Whether the loggers take calls by now; a call before is lost.
  bool began() const { return began_ || empty(); }
  bool empty() const { return loggers_.empty(); }
  const std::vector<std::unique_ptr<RunLogger>>& all() const { return loggers_; }
  // A logger that cannot begin is a mistake in the set-up, so it does end the run: throws Error.
  void begin(const levin_logger_begin& begin);
  void metrics(int64_t step, const OrderedMetrics& metrics);
  void metrics(int64_t step, const char* const* names, const double* values, uint32_t n);
  void media(const levin_media& media);
  void artifact(const levin_artifact& artifact);
  void hparams(const std::string& json);  // those that come before begin reach the loggers after it
  void after_save(const levin_saved& saved);
  void flush();

  // From here on rows and media are counted, because a run that goes on from a checkpoint of now logs them again.
  void begin_repeated() {
    repeated_ = 0;
    left_out_ = std::exchange(to_leave_out_, 0);
  }
  void end_repeated() {
    repeated_.reset();
    left_out_ = 0;
  }
  // How many of them a run that goes on from a checkpoint of now logs again.
  uint64_t repeated() const { return repeated_.value_or(0); }
  // In a run that goes on: of what it repeats first, so many calls are left out, because the loggers have had them.
  void leave_out(uint64_t calls) { to_leave_out_ = calls; }

  // Waits for loggers with threads of their own, all together for at most so many seconds.
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
