// A plugin's logger.
#pragma once
#include <string>

#include "core/components/component.hpp"

namespace levin::core {

class Logger : public Component {
 public:
  Logger(ComponentOrigin origin, const levin_object* table, void* self);
  void begin(const levin_logger_begin& begin) const;
  void metrics(int64_t step, const char* const* names, const double* values, uint32_t n) const;
  void media(const levin_media& media) const;
  void after_save(const levin_saved& saved) const;
  void flush() const;
  void finalize(const char* status) const;
  void artifact(const levin_artifact& artifact) const;
  void hparams(const char* text) const;
  std::string url() const;  // "" = none
  bool takes_media() const;
  bool takes_artifacts() const;

 private:
  const levin_logger* table_;
};

}  // namespace levin::core
