// What tasks need and machines have, and the form in which tasks are kept.
#include "tasks/common/resources.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tasks/common/record_file.hpp"

using namespace levin::core::tasks;

namespace {

Machine machine_of(uint64_t cpus, uint64_t gpus, const std::string& labels = "") {
  return read_machine({4, cpus, gpus, 1000, labels});
}

}  // namespace

TEST_CASE("needs are the same after they were text") {
  CHECK(text_of({}).empty());
  CHECK(needs_of("").cpus == 1);
  const Needs needs{4, 2, 1u << 20, {"a100", "zone=eu"}};
  CHECK(text_of(needs) == "cpus=4 gpus=2 memory=1048576 labels=a100,zone=eu");
  CHECK(text_of(needs_of(text_of(needs))) == text_of(needs));
  for (const char* bad : {"x", "cpus", "cpus=", "cpus=-1", "cpus=a", "cpus=99999999999999999999", "gpus=1  cpus=2"})
    CHECK_THROWS_AS(needs_of(bad), levin::core::Error);
}

TEST_CASE("labels are names, sorted and each once") {
  CHECK(read_labels("").empty());
  CHECK(read_labels("b, a,b") == std::vector<std::string>{"a", "b"});
  for (const char* bad : {",", "a b", "a,", "caf\xc3\xa9", "a/b"})
    CHECK_THROWS_AS(read_labels(bad), levin::core::Error);
}

TEST_CASE("a machine lacks what it has too little of") {
  const Capacity machine = machine_of(8, 2, "fast,a100").capacity;
  CHECK(lacking(machine, {8, 2, 1000, {"a100", "fast"}}).empty());
  CHECK(lacking(machine, {9, 1000, 0, {}}) == "9 cpus (it has 8), 1000 gpus (it has 2)");
  CHECK(lacking(machine, {1, 0, 1001, {"eu"}}) == "1001 MiB of memory (it has 1000), the label 'eu'");
}

TEST_CASE("shares do not overlap, and come back") {
  ResourcePool pool(machine_of(4, 2));
  const auto first = pool.take({1, 1, 0, {}}), second = pool.take({2, 1, 0, {}});
  REQUIRE((first && second));
  CHECK((first->gpus.size() == 1 && second->gpus.size() == 1 && first->gpus != second->gpus));
  CHECK_FALSE(pool.take({1, 1, 0, {}}));
  CHECK_FALSE(pool.take({2, 0, 0, {}}));
  pool.give_back(*second);
  const auto again = pool.take({1, 1, 0, {}}, second->gpus);
  REQUIRE(again);
  CHECK(again->gpus == second->gpus);
}

TEST_CASE("what is kept for others stays free") {
  ResourcePool pool(machine_of(4, 1));
  CHECK_FALSE(pool.fits({1, 0, 0, {}}, {1, 4, 0, 0}));
  CHECK(pool.fits({1, 0, 0, {}}, {1, 3, 1, 0}));
  CHECK_FALSE(pool.fits({1, 1, 0, {}}, {1, 3, 1, 0}));
  CHECK_FALSE(pool.fits({1, 0, 0, {}}, {9, 0, 0, 0}));
}

TEST_CASE("a task is the same after it was packed, also from before tasks had needs") {
  const std::string bytes = packed_task({"name", "data", 2.5, "gpus=1"});
  const TaskData task = unpacked_task(bytes);
  CHECK((task.name == "name" && task.data == "data" && task.weight == 2.5 && task.needs == "gpus=1"));
  for (size_t n = 0; n < 16 + 4 + 6; ++n) CHECK_THROWS_AS(unpacked_task(bytes.substr(0, n)), levin::core::Error);
  std::string earlier(16, '\0');  // weight, and the length of the name in 64 bits
  earlier[8] = 4;
  const TaskData old = unpacked_task(earlier += "namedata");
  CHECK((old.name == "name" && old.data == "data" && old.needs.empty()));
}
