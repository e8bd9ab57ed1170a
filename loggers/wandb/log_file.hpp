// The framing of a .wandb file: a header of 7 bytes, then blocks as in LevelDB's log, with CRC-32 as the checksum.
#pragma once
#include <cstdint>
#include <string>

namespace levin::wandb {

uint32_t crc32(const std::string& bytes);

// The first bytes of a file.
std::string log_header();

// Returns the bytes that add a record to a file of this size.
std::string log_record(uint64_t size, const std::string& record);

}  // namespace levin::wandb
