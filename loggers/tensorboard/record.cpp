#include "record.hpp"

#include "../common/bytes.hpp"

namespace levin::tensorboard {

using loggers::little_endian;

uint32_t crc32c(const std::string& data) { return loggers::crc<loggers::castagnoli_polynomial>(data); }

uint32_t masked_crc(const std::string& data) {
  const uint32_t crc = crc32c(data);
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

std::string record(const std::string& event) {
  const std::string length = little_endian(event.size(), 8);
  return length + little_endian(masked_crc(length), 4) + event + little_endian(masked_crc(event), 4);
}

}  // namespace levin::tensorboard
