#include "transports/node/reduction_choice.hpp"

#include <ATen/ATen.h>

#include "catch.hpp"
#include "forked_ranks.hpp"

using levin::core::ReductionChoice;
using levin::core::SharedMemory;

TEST_CASE("The next larger size that was measured decides about a size", "[reduction_choice]") {
  const ReductionChoice choice{{{256, 1, 100}, {16384, 50, 10}, {4 << 20, 400, 4000}}};
  CHECK(choice.shared(0));
  CHECK(choice.shared(256));
  CHECK_FALSE(choice.shared(257));
  CHECK(choice.shared(1 << 20));
  CHECK(choice.shared(64 << 20));
  CHECK(choice.text() ==
        "shared memory: 256 B in 1 us (other: 100 us), 16 KB in 50 us (other: 10 us), 4 MB in 400 us (other: 4000 us)");
  CHECK_FALSE(ReductionChoice{}.shared(1));
  CHECK(ReductionChoice{}.text() == "shared memory: not used");
}

TEST_CASE("All ranks choose by the times of rank 0", "[reduction_choice]") {
  const auto messages = run_ranks(3, [](int rank, const FileStore& store) {
    SharedMemory memory(shared_options(rank, 3, store));
    // The alternative is slow for rank 0, and takes no time for the others.
    const ReductionChoice choice = levin::core::measure_reductions(memory, [&](const at::Tensor&) {
      if (rank == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
    store.publish("text" + std::to_string(rank), choice.text());
    require(choice.shared(1000), choice.text());
    require(store.fetch("text0") == choice.text(), "another choice than rank 0: " + choice.text());
  });
  CHECK(messages == std::vector<std::string>{"", "", ""});
}

TEST_CASE("Without memory to share nothing is measured", "[reduction_choice]") {
  const auto messages = run_ranks(2, [](int rank, const FileStore& store) {
    auto options = shared_options(rank, 2, store);
    if (rank == 1) options.exchange.fetch = [&](const std::string& key) { return store.fetch(key) + "9"; };
    SharedMemory memory(options);
    bool called = false;
    const auto choice = levin::core::measure_reductions(memory, [&](const at::Tensor&) { called = true; });
    require(!called && !choice.shared(4), "it was measured");
  });
  CHECK(messages == std::vector<std::string>{"", ""});
}
