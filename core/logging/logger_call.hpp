// A call of a logger with copies of its arguments, so that it can be made later, on another thread, or by a run that
// goes on.
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
  at::Tensor view = {};  // of media, in row-major order on the CPU
  uint64_t number = 0;   // of the logger's calls in this run, from 1

  static LoggerCall metrics(int64_t step, const char* const* names, const double* values, uint32_t n);
  static LoggerCall media(const levin_media& media);  // its view is in row-major order on the CPU
  static LoggerCall artifact(const levin_artifact& artifact);
  static LoggerCall hparams(const std::string& json);
  static LoggerCall after_save(const levin_saved& saved);
  static LoggerCall flush() { return {Kind::flush}; }
  static LoggerCall finalize(const char* status);

  // Throws Error if the logger fails. A checkpoint or file that is gone by now is not told of.
  void make(const Logger& logger) const;
  const char* name() const;  // "metrics"
  size_t bytes() const;      // of the copies, about
};

// How many calls of each kind.
class CallCounts {
 public:
  void add(LoggerCall::Kind kind) { ++counts_[static_cast<size_t>(kind)]; }
  std::string text() const;  // "2 rows of metrics, 1 media and 1 finalize", for people; "" for none

 private:
  std::array<size_t, 7> counts_{};
};

// The calls that wait for a logger, for a checkpoint.
struct WaitingCalls {
  std::vector<LoggerCall> calls;
  uint64_t last = 0;  // the number of the last call that was made, waiting or not
  void write(StateBag& to) const;
  // Throws nlohmann::json::exception if the bag does not hold what write() put into it; an empty one has no calls.
  static WaitingCalls read(const StateBag& from);
};

}  // namespace levin::core
