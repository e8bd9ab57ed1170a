#include "core/checkpoint/save_queue.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"

using namespace levin::core;

namespace {

SavedFile file(const char* path) {
  SavedFile out;
  out.path = path;
  return out;
}

std::string all_saved(SaveQueue& queue) {
  std::string out;
  while (const auto saved = queue.next_saved()) out += saved->path + " ";
  return out;
}

}  // namespace

TEST_CASE("jobs of saves are done beside training, in their order, and say what is on the disk since") {
  SaveQueue queue;
  std::promise<void> go;
  std::vector<std::string> done;
  queue.add([&] { go.get_future().wait(), done.emplace_back("write"); }, file("a"));
  queue.in_order([&] { done.emplace_back("announce"); });
  queue.add([&] { done.emplace_back("link"); }, file("b"));
  CHECK(all_saved(queue).empty());
  go.set_value();
  queue.wait();
  CHECK(done == std::vector<std::string>{"write", "announce", "link"});
  CHECK(all_saved(queue) == "a b ");
  bool here = false;
  queue.in_order([&] { here = true; });
  CHECK(here);  // the queue was empty
}

TEST_CASE("after a job that failed nothing is done until somebody has got the failure") {
  SaveQueue queue;
  bool announced = false, removed = false;
  queue.add([] { throw std::runtime_error("no space"); }, file("a"));
  queue.in_order([&] { announced = true; });
  queue.wait();
  queue.in_order([&] { removed = true; });
  CHECK_FALSE(announced);
  CHECK_FALSE(removed);
  CHECK(queue.failed());
  CHECK(all_saved(queue).empty());
  CHECK_THROWS_WITH(queue.throw_failure(), "no space");
  CHECK_NOTHROW(queue.throw_failure());
  queue.add([&] { removed = true; });
  queue.wait();
  CHECK(removed);
}

TEST_CASE("what was asked for is done before the queue goes") {
  int done = 0;
  {
    SaveQueue queue;
    for (int i = 0; i < 20; ++i) queue.add([&] { ++done; });
  }
  CHECK(done == 20);
}

TEST_CASE("a process that is about to end waits for the jobs that are there, except in the thread that does them") {
  SaveQueue queue;
  std::atomic<int> written{0};
  const auto write = [&] { std::this_thread::sleep_for(std::chrono::milliseconds(40)), ++written; };
  queue.add(write);
  queue.add(write);
  wait_for_saves_before_the_end();
  CHECK(written == 2);
  queue.add([] { wait_for_saves_before_the_end(); });  // must not wait for itself
  queue.wait();
  wait_for_saves_before_the_end();
}
