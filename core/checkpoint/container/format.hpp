// The fixed points of the format; see docs/checkpoint-format.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/checkpoint/container/checksum.hpp"

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "safetensors files are little-endian and are written from memory as it is"
#endif

namespace levin::core {

constexpr uint64_t tensor_alignment = 64;
constexpr uint64_t length_bytes = 8;  // the header's length, before it
constexpr uint64_t max_header_bytes = 100'000'000;
constexpr size_t max_name_bytes = 4096;
constexpr size_t max_rank = 64;
constexpr size_t max_tensors = 1'000'000;
constexpr int max_manifest_depth = 64;

constexpr std::string_view pad_prefix = "__pad__.";
constexpr std::string_view reserved_prefix = "levin";  // of metadata keys
constexpr std::string_view manifest_key = "levin";
constexpr std::string_view format_key = "levin.format";
constexpr std::string_view header_key = "levin.header";
constexpr std::string_view format_version = "1";

// Every file of ours begins so, after the length; the checksum follows. This never changes with the version.
constexpr std::string_view header_mark = R"({"__metadata__":{"levin.header":")";
constexpr uint64_t header_checksum_at = length_bytes + header_mark.size();

// Of the length and the header, with the checksum's own place filled with '0'. Needs text that long.
inline std::string header_checksum(std::string length_and_header) {
  length_and_header.replace(header_checksum_at, checksum_length, checksum_length, '0');
  return checksum_of(length_and_header.data(), length_and_header.size());
}

}  // namespace levin::core
