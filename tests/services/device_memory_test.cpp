#include "core/services/services.hpp"

#include "catch.hpp"

using levin::core::device_memory;

TEST_CASE("the memory of the CPU is the machine's, in bytes") {
  const auto memory = device_memory(c10::Device(c10::kCPU));
  REQUIRE(memory);
  CHECK(memory->total > uint64_t{1} << 28);
  CHECK(memory->used > 0);
  CHECK(memory->used < memory->total);
}

TEST_CASE("the memory of a device that nobody can ask is not known") {
  CHECK_FALSE(device_memory(c10::Device(c10::kMeta)));
}
