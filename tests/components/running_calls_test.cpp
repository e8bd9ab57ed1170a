#include "core/abi/running_calls.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"

using namespace levin::core;

namespace {

std::string names() {
  RunningCall calls[8];
  std::string out;
  for (size_t i = 0, n = running_calls(calls, 8); i < n; ++i)
    out += std::string(calls[i].plugin) + ":" + calls[i].instance + "." + calls[i].call + " ";
  return out;
}

}  // namespace

TEST_CASE("a call runs as long as its scope, and hides the call around it") {
  CHECK(names().empty());
  {
    const BreadcrumbScope outer("liba.so", "step", "net");
    CHECK(names() == "liba.so:net.step ");
    RunningCall before[1], after[1];
    running_calls(before, 1);
    {
      const BreadcrumbScope inner("libb.so", "fill");
      CHECK(names() == "libb.so:.fill ");
    }
    REQUIRE(running_calls(after, 1) == 1);
    CHECK(after[0].number == before[0].number);
    CHECK(std::strcmp(after[0].call, "step") == 0);
  }
  CHECK(names().empty());
}

TEST_CASE("calls of other threads are seen, and texts of any length fit") {
  std::atomic<bool> began{false}, enough{false};
  const std::string plugin(1000, 'p');
  std::thread other([&] {
    const BreadcrumbScope scope(plugin.c_str(), "fill", "rows");
    began = true;
    while (!enough) std::this_thread::yield();
  });
  while (!began) std::this_thread::yield();
  RunningCall calls[2];
  CHECK(running_calls(calls, 2) == 1);
  CHECK(calls[0].of_plugin());
  CHECK(calls[0].thread != 0);
  CHECK(std::string(calls[0].plugin) == std::string(sizeof calls[0].plugin - 1, 'p'));
  enough = true;
  other.join();
  CHECK(names().empty());
}

TEST_CASE("many threads that come and go can be looked at all the time") {
  std::atomic<bool> enough{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      while (!enough) {
        const std::string name = "lib" + std::to_string(rand() % 1000) + ".so";
        const BreadcrumbScope scope(name.c_str(), "call");
      }
    });
  size_t odd = 0;
  for (int i = 0; i < 20'000; ++i) {
    RunningCall calls[8];
    for (size_t n = running_calls(calls, 8); n > 0; --n) odd += std::strncmp(calls[n - 1].plugin, "lib", 3) != 0;
  }
  enough = true;
  for (std::thread& t : threads) t.join();
  CHECK(odd == 0);
}
