// The checksum of the checkpoint format: XXH3 with 128 bits, written as "xxh3:" and 32 lower-case hexadecimal digits.
// It detects accidental damage, not forgery.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

namespace levin::core {

constexpr size_t checksum_length = 5 + 32;

class Checksum {
 public:
  Checksum();
  ~Checksum();
  void update(const void* data, uint64_t bytes);
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string checksum_of(const void* data, uint64_t bytes);

}  // namespace levin::core
