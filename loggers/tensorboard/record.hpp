// The framing of event files: each record has a length, its checksum, the data and their checksum.
#pragma once
#include <cstdint>
#include <string>

namespace levin::tensorboard {

uint32_t crc32c(const char* data, size_t n);
uint32_t masked_crc(const std::string& data);

// Puts the bytes of an event into one record.
std::string record(const std::string& event);

}  // namespace levin::tensorboard
