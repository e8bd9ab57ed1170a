#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "tests/checkpoint/sample.hpp"

using namespace levin::core;

namespace {

bool found(std::string bytes) {
  try {
    SafetensorsReader(std::move(bytes), "memory", SafetensorsMode::strict).verify();
    return false;
  } catch (const Error& e) {
    return e.kind() == ErrorKind::checkpoint;
  }
}

std::string sample_bytes() {
  const TempFolder temp;
  write_safetensors(temp / "a", sample_content());
  return bytes_of(temp / "a");
}

}  // namespace

TEST_CASE("every flipped bit of a checkpoint is found, wherever it is") {
  const std::string bytes = sample_bytes();
  REQUIRE(!found(bytes));
  size_t missed = 0;
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      missed += found(std::move(flipped)) ? 0 : 1;
    }
  CHECK(missed == 0);
}

TEST_CASE("a checkpoint that lacks its end is found at every length, and so is one that goes on") {
  const std::string bytes = sample_bytes();
  size_t missed = 0;
  for (size_t length = 0; length < bytes.size(); ++length) missed += found(bytes.substr(0, length)) ? 0 : 1;
  CHECK(missed == 0);
  CHECK(found(bytes + '\0'));
  CHECK(found(bytes + bytes));
}

TEST_CASE("runs of zeros, as a torn write leaves them, are found") {
  const std::string bytes = sample_bytes();
  for (size_t run : {16u, 64u, 512u})
    for (size_t at = 0; at + run <= bytes.size(); at += run) {
      std::string torn = bytes;
      torn.replace(at, run, run, '\0');
      CAPTURE(run, at);
      CHECK((torn == bytes || found(torn)));
    }
}

TEST_CASE("the message names the tensor that is damaged, and the others can still be read") {
  const TempFolder temp;
  write_safetensors(temp / "a", sample_content());
  std::string bytes = bytes_of(temp / "a");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);  // in the last tensor by size and name
  spill(temp / "a", bytes);
  const SafetensorsReader reader(temp / "a");
  CHECK_THROWS_WITH(reader.verify(), ContainsSubstring(temp / "a") && ContainsSubstring("'optimizer.lr'"));
  CHECK_NOTHROW(reader.tensor("model.weight"));
}

TEST_CASE("no flipped bit makes a checkpoint look like another program's file") {
  const TempFolder temp;
  const std::string bytes = sample_bytes();
  size_t missed = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
    spill(temp / "a", flipped);
    missed += looks_like_checkpoint(temp / "a") ? 0 : 1;
  }
  CHECK(missed == 0);
  spill(temp / "a", std::string("\2\0\0\0\0\0\0\0{}", 10));
  CHECK_FALSE(looks_like_checkpoint(temp / "a"));
}
