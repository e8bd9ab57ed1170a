// The framing of event files: each record has a length, the checksum of the length, the data and the checksum of the
// data.
#pragma once
#include <cstdint>
#include <string>

namespace levin::tensorboard {

uint32_t crc32c(const std::string& data);
uint32_t masked_crc(const std::string& data);

// Returns a record with the bytes of an event.
std::string record(const std::string& event);

}  // namespace levin::tensorboard
