// The framing of event files: length, checksum, data, checksum.
#pragma once
#include <cstdint>
#include <string>

namespace levin::tensorboard {

uint32_t crc32c(const char* data, size_t n);
uint32_t masked_crc(const std::string& data);

// One record around the bytes of an event.
std::string record(const std::string& event);

}  // namespace levin::tensorboard
