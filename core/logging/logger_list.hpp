// The loggers of a run. A logger that fails after it has started does not end the run: it is reported once and left out
// from then on.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/components/logger.hpp"
#include "core/logging/ordered_metrics.hpp"

namespace levin::core {

class LoggerList {
 public:
  using Warn = std::function<void(const std::string&)>;
  LoggerList(std::vector<std::unique_ptr<Logger>> loggers, Warn warn);

  bool empty() const { return loggers_.empty(); }
  void begin(const levin_logger_begin& begin);
  void metrics(int64_t step, const OrderedMetrics& metrics);
  void metrics(int64_t step, const char* const* names, const double* values, uint32_t n);
  void media(const levin_media& media);
  void after_save(const std::string& path);
  void flush();
  void finalize(const char* status);
  const std::vector<std::unique_ptr<Logger>>& all() const { return loggers_; }

 private:
  template <class F>
  void each(F&& f);
  std::vector<std::unique_ptr<Logger>> loggers_;
  std::vector<bool> broken_;
  Warn warn_;
};

}  // namespace levin::core
