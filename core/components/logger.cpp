#include "core/components/logger.hpp"

namespace levin::core {

Logger::Logger(ComponentOrigin origin, const levin_object* table, void* self)
    : Component(std::move(origin), table, self), table_(reinterpret_cast<const levin_logger*>(table)) {}

void Logger::begin(const levin_logger_begin& begin) const {
  if (LEVIN_HAS(levin_logger, table_, begin)) invoke("begin", [&] { return table_->begin(self(), &begin); });
}

void Logger::metrics(int64_t step, const char* const* names, const double* values, uint32_t n) const {
  if (LEVIN_HAS(levin_logger, table_, metrics))
    invoke("metrics", [&] { return table_->metrics(self(), step, names, values, n); });
}

void Logger::media(const levin_media& media) const {
  if (LEVIN_HAS(levin_logger, table_, media)) invoke("media", [&] { return table_->media(self(), &media); });
}

void Logger::after_save(const levin_saved& saved) const {
  if (LEVIN_HAS(levin_logger, table_, after_save))
    invoke("after_save", [&] { return table_->after_save(self(), &saved); });
}

void Logger::flush() const {
  if (LEVIN_HAS(levin_logger, table_, flush)) invoke("flush", [&] { return table_->flush(self()); });
}

void Logger::finalize(const char* status) const {
  if (LEVIN_HAS(levin_logger, table_, finalize)) invoke("finalize", [&] { return table_->finalize(self(), status); });
}

}  // namespace levin::core
