#include "core/logging/logger_list.hpp"

#include <algorithm>
#include <utility>

namespace levin::core {

LoggerList::LoggerList(std::vector<std::unique_ptr<Logger>> loggers, Warn warn, const DeliveryLimits& limits)
    : warn_(std::move(warn)) {
  for (auto& logger : loggers) loggers_.push_back(std::make_unique<RunLogger>(std::move(logger), limits, warn_));
}

void LoggerList::begin(const levin_logger_begin& begin) {
  began_ = true;
  for (const auto& logger : loggers_) logger->begin(begin);
  for (const std::string& early : std::exchange(early_hparams_, {})) hparams(early);
}

void LoggerList::metrics(int64_t step, const OrderedMetrics& metrics) {
  std::vector<const char*> names;
  std::vector<double> values;
  for (const auto& [name, value] : metrics.items()) names.push_back(name.c_str()), values.push_back(value);
  this->metrics(step, names.data(), values.data(), static_cast<uint32_t>(names.size()));
}

// Counts a call that a resumed run may repeat. Returns true if it repeats a call that the loggers already have.
bool LoggerList::repeats() {
  if (repeated_) ++*repeated_;
  if (left_out_ == 0) return false;
  --left_out_;
  return true;
}

void LoggerList::metrics(int64_t step, const char* const* names, const double* values, uint32_t n) {
  if (repeats()) return;
  for (const auto& logger : loggers_)
    logger->call(
        Kind::metrics, [&](const Logger& to) { to.metrics(step, names, values, n); },
        [&] { return LoggerCall::metrics(step, names, values, n); });
}

// Warns if no logger takes the value: otherwise nothing would show that it was logged.
template <class Takes>
void LoggerList::tell_if_nobody_takes(const char* what, const std::string& which, Takes&& takes) {
  if (loggers_.empty() || std::any_of(loggers_.begin(), loggers_.end(), takes) || !warned_.insert(what).second) return;
  warn_(std::string("no logger of this run supports ") + what + ": " + which + " is not saved");
}

void LoggerList::media(const levin_media& media) {
  if (repeats()) return;
  const auto takes = [](const auto& logger) { return logger->logger().takes_media(); };
  tell_if_nobody_takes("media", std::string(media.kind) + " '" + media.tag + "'", takes);
  for (const auto& logger : loggers_)
    if (takes(logger))
      logger->call(
          Kind::media, [&](const Logger& to) { to.media(media); }, [&] { return LoggerCall::media(media); });
}

void LoggerList::artifact(const levin_artifact& artifact) {
  const auto takes = [](const auto& logger) { return logger->logger().takes_artifacts(); };
  tell_if_nobody_takes("artifacts", artifact.path, takes);
  for (const auto& logger : loggers_)
    if (takes(logger))
      logger->call(
          Kind::artifact, [&](const Logger& to) { to.artifact(artifact); },
          [&] { return LoggerCall::artifact(artifact); });
}

void LoggerList::hparams(const std::string& text) {
  if (!began_) return early_hparams_.push_back(text);
  for (const auto& logger : loggers_)
    logger->call(
        Kind::hparams, [&](const Logger& to) { to.hparams(text.c_str()); }, [&] { return LoggerCall::hparams(text); });
}

void LoggerList::after_save(const levin_saved& saved) {
  for (const auto& logger : loggers_)
    logger->call(
        Kind::after_save, [&](const Logger& to) { to.after_save(saved); },
        [&] { return LoggerCall::after_save(saved); });
}

void LoggerList::flush() {
  for (const auto& logger : loggers_)
    logger->call(
        Kind::flush, [](const Logger& to) { to.flush(); }, [] { return LoggerCall::flush(); });
}

void LoggerList::finalize(const char* status, double seconds) {
  flush();
  for (const auto& logger : loggers_)
    logger->call(
        Kind::finalize, [&](const Logger& to) { to.finalize(status); }, [&] { return LoggerCall::finalize(status); });
  const std::chrono::duration<double> limit(std::min(seconds, 1e8));  // avoids an overflow of the clock's duration
  const auto deadline = Delivery::Clock::now() + std::chrono::duration_cast<Delivery::Clock::duration>(limit);
  for (const auto& logger : loggers_) logger->finish(deadline);
}

}  // namespace levin::core
