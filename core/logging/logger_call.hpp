// A logger call with copies of its arguments, so that it can be made later, on another thread, or by a resumed run.
#pragma once
#include <ATen/core/Tensor.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/abi/state_bag.hpp"
#include "core/components/logger.hpp"

namespace levin::core {

struct LoggerCall {
  enum class Kind { metrics, media, artifact, hparams, after_save, flush, finalize };
  Kind kind;
  nlohmann::json arguments = nullptr;
  at::Tensor view = {};  // of media, row-major on the CPU
  uint64_t number = 0;   // number among the logger's calls in this run, from 1

  static LoggerCall metrics(int64_t step, const char* const* names, const double* values, uint32_t n);
  static LoggerCall media(const levin_media& media);  // copies the view to a row-major tensor on the CPU
  static LoggerCall artifact(const levin_artifact& artifact);
  static LoggerCall hparams(const std::string& json);
  static LoggerCall after_save(const levin_saved& saved);
  static LoggerCall flush() { return {Kind::flush}; }
  static LoggerCall finalize(const char* status);

  // Throws Error if the logger fails. Skips the call if its checkpoint or file no longer exists.
  void make(const Logger& logger) const;
  const char* name() const;  // e.g. "metrics"
  size_t bytes() const;      // approximate size of the copies
};

// Number of calls of each kind.
class CallCounts {
 public:
  void add(LoggerCall::Kind kind) { ++counts_[static_cast<size_t>(kind)]; }
  std::string text() const;  // "2 rows of metrics, 1 media and 1 finalize", for messages; "" = none

 private:
  std::array<size_t, 7> counts_{};
};

// The queued calls of a logger, for a checkpoint.
struct WaitingCalls {
  std::vector<LoggerCall> calls;
  uint64_t last = 0;  // number of the logger's last call, queued or made
  void write(StateBag& to) const;
  // Throws nlohmann::json::exception if the bag was not filled by write(). An empty bag has no calls.
  static WaitingCalls read(const StateBag& from);
};

}  // namespace levin::core
