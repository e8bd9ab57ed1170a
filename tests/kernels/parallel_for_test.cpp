// The loop over LibTorch's threads: which ranges there are, and that there are several threads.
#include "core/kernels/common/parallel_for.hpp"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "catch.hpp"

using levin::core::parallel_for;

namespace {

struct Threads {
  explicit Threads(int n) { at::set_num_threads(n); }
  ~Threads() { at::set_num_threads(before); }
  const int before = at::get_num_threads();
};
struct Ran {
  std::vector<std::pair<int64_t, int64_t>> ranges;  // by their begin
  std::set<std::thread::id> threads;
};
Ran run(int64_t total, int64_t grain) {
  Ran out;
  std::mutex mutex;
  parallel_for(total, grain, [&](int64_t begin, int64_t end) {
    const std::lock_guard<std::mutex> lock(mutex);
    out.ranges.emplace_back(begin, end);
    out.threads.insert(std::this_thread::get_id());
  });
  std::sort(out.ranges.begin(), out.ranges.end());
  return out;
}

}  // namespace

TEST_CASE("a parallel loop has a range for each thread, and the ranges cover all") {
  const Threads three(3);
  for (const int64_t total : {2, 3, 10, 1000, 1001}) {
    const Ran ran = run(total, 1);
    int64_t next = 0;
    for (const auto& [begin, end] : ran.ranges) {
      CHECK(begin == next);
      CHECK(end > begin);
      next = end;
    }
    CHECK(next == total);
    CHECK(ran.ranges.size() == static_cast<size_t>(std::min<int64_t>(total, 3)));
    CHECK(ran.threads.size() == ran.ranges.size());
  }
  CHECK(run(10, 5).ranges.size() == 2);
  CHECK(run(5, 5).ranges.size() == 1);
  CHECK(run(0, 5).ranges.empty());
}

TEST_CASE("a parallel loop is serial with one thread, and within another one") {
  {
    const Threads one(1);
    CHECK(run(1000, 1).ranges.size() == 1);
  }
  const Threads two(2);
  std::atomic<int> ranges{0};
  parallel_for(2, 1, [&](int64_t, int64_t) { ranges += static_cast<int>(run(1000, 1).ranges.size()); });
  CHECK(ranges == 2);
}

TEST_CASE("an exception of a range is thrown by the loop") {
  const Threads two(2);
  CHECK_THROWS_WITH(parallel_for(2, 1,
                                 [](int64_t begin, int64_t) {
                                   if (begin == 1) throw std::runtime_error("of a range");
                                 }),
                    "of a range");
}
