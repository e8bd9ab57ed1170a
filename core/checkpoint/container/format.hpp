// The constants of the format; see docs/checkpoint-format.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/checkpoint/container/checksum.hpp"

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "safetensors files are little-endian and are written from memory without conversion"
#endif

namespace levin::core {

constexpr uint64_t tensor_alignment = 64;
constexpr uint64_t length_bytes = 8;  // size of the field that holds the header's length, in front of the header
constexpr uint64_t max_header_bytes = 100'000'000;
constexpr size_t max_name_bytes = 4096;
constexpr size_t max_rank = 64;
constexpr size_t max_tensors = 1'000'000;
constexpr int max_manifest_depth = 64;

constexpr std::string_view pad_prefix = "__pad__.";
constexpr std::string_view reserved_prefix = "levin";  // prefix of the metadata keys that belong to the format
constexpr std::string_view manifest_key = "levin";
constexpr std::string_view format_key = "levin.format";
constexpr std::string_view header_key = "levin.header";
constexpr std::string_view format_version = "1";

// The start of every file's header, in all versions of the format; the header's checksum follows.
constexpr std::string_view header_mark = R"({"__metadata__":{"levin.header":")";
constexpr uint64_t header_checksum_at = length_bytes + header_mark.size();

// Returns the checksum of the length and the header, in which the bytes of the checksum itself count as '0'. The text
// must be long enough to hold the checksum.
inline std::string header_checksum(std::string length_and_header) {
  length_and_header.replace(header_checksum_at, checksum_length, checksum_length, '0');
  return checksum_of(length_and_header.data(), length_and_header.size());
}

}  // namespace levin::core
