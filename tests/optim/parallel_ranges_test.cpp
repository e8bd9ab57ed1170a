#include <ATen/Parallel.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "core/optim/optimizers/parallel_ranges.hpp"

using namespace levin::core;

TEST_CASE("ranges cover everything once") {
  for (const int64_t total : {int64_t{0}, int64_t{1}, int64_t{1} << 17, (int64_t{1} << 18) + 1}) {
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(total));
    parallel_ranges(total, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
    });
    for (const auto& count : seen) {
      if (count != 1) FAIL("an element was visited " << count << " times of " << total);
    }
  }
}

TEST_CASE("large work is spread over LibTorch's threads, small work is not") {
  at::set_num_threads(2);
  const auto threads = [](int64_t total) {
    std::mutex mutex;
    std::set<std::thread::id> ids;
    parallel_ranges(total, [&](int64_t, int64_t) {
      const std::lock_guard lock(mutex);
      ids.insert(std::this_thread::get_id());
    });
    return ids.size();
  };
  REQUIRE(threads(1000) == 1);
  REQUIRE(threads(1 << 20) == 2);
}
