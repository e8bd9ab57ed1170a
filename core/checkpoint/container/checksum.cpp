#include "core/checkpoint/container/checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <new>

namespace levin::core {

struct alignas(64) Checksum::State {
  XXH3_state_t xxh3;
};

Checksum::Checksum() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh3); }
Checksum::~Checksum() = default;

void Checksum::update(const void* data, uint64_t bytes) {
  if (bytes != 0) XXH3_128bits_update(&state_->xxh3, data, bytes);
}

std::string Checksum::text() const {
  XXH128_canonical_t digest;
  XXH128_canonicalFromHash(&digest, XXH3_128bits_digest(&state_->xxh3));
  std::string text = "xxh3:";
  for (unsigned char byte : digest.digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string checksum_of(const void* data, uint64_t bytes) {
  Checksum checksum;
  checksum.update(data, bytes);
  return checksum.text();
}

}  // namespace levin::core
