#include "core/components/logger.hpp"

#include "core/abi/failure.hpp"

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
  if (takes_media()) invoke("media", [&] { return table_->media(self(), &media); });
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

bool Logger::takes_media() const { return LEVIN_HAS(levin_logger, table_, media); }
bool Logger::takes_artifacts() const { return LEVIN_HAS(levin_logger, table_, artifact); }

void Logger::artifact(const levin_artifact& artifact) const {
  if (takes_artifacts()) invoke("artifact", [&] { return table_->artifact(self(), &artifact); });
}

void Logger::hparams(const char* text) const {
  if (LEVIN_HAS(levin_logger, table_, hparams)) invoke("hparams", [&] { return table_->hparams(self(), text); });
}

std::string Logger::url() const {
  std::string url;
  if (LEVIN_HAS(levin_logger, table_, url))
    invoke("url", [&]() -> levin_status {
      plugin_failure().clear();
      const char* said = table_->url(self());
      if (said) url = said;
      return said || plugin_failure().empty() ? LEVIN_OK : LEVIN_E_EXCEPTION;  // url() has no status
    });
  return url;
}

}  // namespace levin::core
