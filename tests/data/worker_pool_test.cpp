#include "core/data/worker_pool.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <set>

#include "catch.hpp"
#include "core/abi/breadcrumb.hpp"
#include "core/base/error.hpp"
#include "core/progress/stop_request.hpp"

using namespace levin::core;

namespace {

// Slots without fields; the number is stored in the batch's sample ids.
struct Slots {
  std::vector<FieldInfo> fields;
  std::vector<std::unique_ptr<BatchSlot>> owned;
  std::vector<BatchSlot*> pointers;
  explicit Slots(size_t n) {
    for (size_t i = 0; i < n; ++i) {
      owned.push_back(std::make_unique<BatchSlot>(fields, 1, false));
      pointers.push_back(owned.back().get());
    }
  }
};

bool fill_in(int64_t number, BatchSlot& slot) {
  slot.batch().sample_ids = {number};
  return true;
}

std::vector<int64_t> drain(WorkerPool& pool) {
  std::vector<int64_t> out;
  while (BatchSlot* slot = pool.next()) out.push_back(slot->batch().sample_ids.front());
  return out;
}

std::vector<int64_t> range(int64_t first, int64_t end) {
  std::vector<int64_t> out;
  for (int64_t i = first; i < end; ++i) out.push_back(i);
  return out;
}

}  // namespace

TEST_CASE("batches come in order, whichever worker is faster") {
  for (const size_t workers : {1, 2, 4}) {
    Slots slots(workers * 2 + 1);
    WorkerPool pool(workers, slots.pointers, [](int64_t number, BatchSlot& slot) {
      if (number % 3 == 0) std::this_thread::yield();
      return fill_in(number, slot);
    });
    for (int epoch = 0; epoch < 20; ++epoch) {
      pool.start_epoch(epoch % 4, 50);
      CHECK(drain(pool) == range(epoch % 4, 50));
    }
  }
}

TEST_CASE("a batch in hand is not refilled before the next is asked for") {
  Slots slots(3);
  std::mutex mutex;
  std::set<BatchSlot*> held;
  bool overwritten = false;
  WorkerPool pool(2, slots.pointers, [&](int64_t number, BatchSlot& slot) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (held.count(&slot)) overwritten = true;
    return fill_in(number, slot);
  });
  pool.start_epoch(0, 200);
  while (BatchSlot* slot = pool.next()) {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      held = {slot};
    }
    std::this_thread::yield();
    const std::lock_guard<std::mutex> lock(mutex);
    held.clear();
  }
  CHECK_FALSE(overwritten);
}

TEST_CASE("what a worker throws reaches the loop, after the batches before it") {
  Slots slots(5);
  WorkerPool pool(2, slots.pointers, [](int64_t number, BatchSlot& slot) {
    if (number == 4) throw std::runtime_error("row 4 is broken");
    return fill_in(number, slot);
  });
  pool.start_epoch(0, 10);
  for (int64_t i = 0; i < 4; ++i) {
    BatchSlot* slot = pool.next();
    REQUIRE(slot);
    CHECK(slot->batch().sample_ids.front() == i);
  }
  CHECK_THROWS_WITH(pool.next(), "row 4 is broken");
  pool.start_epoch(5, 8);
  CHECK(drain(pool) == range(5, 8));
}

TEST_CASE("a failure waits for the batches before it, and for an end before it") {
  Slots slots(5);
  const auto run = [&](int64_t slow, bool ends_there) {
    std::atomic<bool> failed{false};
    WorkerPool pool(2, slots.pointers, [&](int64_t number, BatchSlot& slot) {
      if (number == 3) {
        failed = true;
        throw std::runtime_error("row 3 is broken");
      }
      while (number == slow && !failed) std::this_thread::yield();
      return !(ends_there && number == slow) && fill_in(number, slot);
    });
    pool.start_epoch(0, 10);
    return drain(pool);
  };
  CHECK_THROWS_WITH(run(1, false), "row 3 is broken");
  CHECK(run(1, true) == range(0, 1));
}

TEST_CASE("an epoch may end early, from either side") {
  Slots slots(5);
  std::atomic<int64_t> end{7};
  WorkerPool pool(2, slots.pointers,
                  [&](int64_t number, BatchSlot& slot) { return number < end && fill_in(number, slot); });
  pool.start_epoch(0, 100);
  CHECK(drain(pool) == range(0, 7));
  end = 1000;
  pool.start_epoch(0, 1000);
  CHECK(pool.next() != nullptr);
  pool.stop_epoch();
  pool.start_epoch(0, 3);
  CHECK(drain(pool) == range(0, 3));
  pool.start_epoch(0, 0);
  CHECK(pool.next() == nullptr);
}

TEST_CASE("a pool can be destroyed in the middle of an epoch") {
  Slots slots(5);
  {
    WorkerPool pool(2, slots.pointers, fill_in);
    pool.start_epoch(0, 1000);
    pool.next();
  }
  SUCCEED();
}

// Sanitizers need more address space than this limit allows.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("more workers than the system has threads for are refused by the option's name") {
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit tight = before;  // enough for a few stacks
  tight.rlim_cur = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE)) + (rlim_t{256} << 20);
  Slots slots(3);
  REQUIRE(setrlimit(RLIMIT_AS, &tight) == 0);
  std::string problem;
  try {
    WorkerPool pool(5000, slots.pointers, fill_in);
  } catch (const Error& e) {
    problem = e.what();
  }
  REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
  CHECK_THAT(problem,
             ContainsSubstring("data.num_workers=5000") && ContainsSubstring("set a smaller --data.num_workers"));
}
#endif

TEST_CASE("a signal ends the wait for a worker, but not within a call of a plugin") {
  Slots slots(3);
  std::atomic<bool> goes_on{false};
  WorkerPool pool(2, slots.pointers, [&](int64_t number, BatchSlot& slot) {
    while (number == 1 && !goes_on) std::this_thread::yield();
    return fill_in(number, slot);
  });
  pool.start_epoch(0, 4);
  REQUIRE(pool.next() != nullptr);
  interruption = 15;
  CHECK_THROWS_AS(pool.next(), Interrupt);
  CHECK_THROWS_AS(pool.stop_epoch(), Interrupt);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    goes_on = true;
  });
  {
    const BreadcrumbScope call("libx.so", "on_fit_start");
    pool.stop_epoch();
  }
  interruption = 0;
  later.join();
}
