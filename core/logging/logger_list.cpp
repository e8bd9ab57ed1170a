#include "core/logging/logger_list.hpp"

#include <limits>

#include "core/base/error.hpp"

namespace levin::core {

LoggerList::LoggerList(std::vector<std::unique_ptr<Logger>> loggers, Warn warn)
    : loggers_(std::move(loggers)), broken_(loggers_.size()), warn_(std::move(warn)) {}

template <class F>
void LoggerList::each(F&& f) {
  for (size_t i = 0; i < loggers_.size(); ++i) {
    if (broken_[i]) continue;
    try {
      f(*loggers_[i]);
    } catch (const Error& e) {
      broken_[i] = true;
      warn_(std::string(e.what()) + "; this logger is left out for the rest of the run");
    }
  }
}

// A logger that cannot start is a mistake in the set-up, so it does end the run.
void LoggerList::begin(const levin_logger_begin& begin) {
  for (const auto& logger : loggers_) logger->begin(begin);
}

void LoggerList::metrics(int64_t step, const OrderedMetrics& metrics) {
  std::vector<const char*> names;
  std::vector<double> values;
  for (const auto& [name, value] : metrics.items()) names.push_back(name.c_str()), values.push_back(value);
  this->metrics(step, names.data(), values.data(), static_cast<uint32_t>(names.size()));
}

void LoggerList::metrics(int64_t step, const char* const* names, const double* values, uint32_t n) {
  each([&](const Logger& logger) { logger.metrics(step, names, values, n); });
}

void LoggerList::media(const levin_media& media) {
  each([&](const Logger& logger) { logger.media(media); });
}

void LoggerList::after_save(const std::string& path) {
  levin_saved saved{};
  saved.size = sizeof saved;
  saved.path = path.c_str();
  saved.score = std::numeric_limits<double>::quiet_NaN();
  each([&](const Logger& logger) { logger.after_save(saved); });
}

void LoggerList::flush() {
  each([](const Logger& logger) { logger.flush(); });
}

void LoggerList::finalize(const char* status) {
  each([&](const Logger& logger) { logger.finalize(status); });
}

}  // namespace levin::core
