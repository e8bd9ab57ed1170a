// Processes that meet, and that leave, as forks of the test.
#include "core/distributed/processes.hpp"

#include <fstream>

#include "catch.hpp"
#include "forked_ranks.hpp"

using namespace levin::core;

namespace {

World world_of_rank(int rank, int size) {
  World world;
  world.rank = world.local_rank = rank;
  world.size = world.local_size = size;
  return world;
}

MeetingOptions in_file(const std::filesystem::path& folder) {
  MeetingOptions options;
  options.init_method = "file://" + (folder / "meeting").string();
  return options;
}

void nobody_hears(const std::string&) {}

}  // namespace

TEST_CASE("a signal to one process while others are missing stops all that are there") {
  for (const int stopped : {0, 1}) {
    Ranks ranks;
    ranks.start(2, [&](int rank, const FileStore&) {
      MeetingOptions options = in_file(ranks.folder);
      const auto other_is_there = [&] { return std::filesystem::exists(ranks.folder / std::to_string(1 - rank)); };
      options.asked_to_stop = [&] {
        std::ofstream(ranks.folder / std::to_string(rank));
        return rank == stopped && other_is_there() ? 10 : 0;
      };
      try {
        const Processes processes(world_of_rank(rank, 3), options, nobody_hears);
      } catch (const MeetingStopped& stop) {
        return require(stop.signal == 10, "another signal");
      }
      throw std::runtime_error("nothing stopped it");
    });
    CHECK(ranks.join() == std::vector<std::string>{"", ""});
    CHECK(!std::filesystem::exists(ranks.folder / "meeting"));
  }
}

TEST_CASE("a process that has done its part waits for the others as long as they live") {
  Ranks ranks;
  ranks.start(2, [&](int rank, const FileStore&) {
    Processes processes(world_of_rank(rank, 2), in_file(ranks.folder), nobody_hears);
    if (rank == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10500));
    processes.store()->set("still", "there");
  });
  CHECK(ranks.join() == std::vector<std::string>{"", ""});
}

TEST_CASE("a process that fails does not wait for long, and the others learn it") {
  Ranks ranks;
  ranks.start(2, [&](int rank, const FileStore&) {
    Processes processes(world_of_rank(rank, 2), in_file(ranks.folder), nobody_hears);
    if (rank == 0) throw std::runtime_error("enough");
    try {
      processes.of_first("");
    } catch (const Error& e) {
      return require(e.kind() == ErrorKind::processes, e.what());
    }
    throw std::runtime_error("nobody was missed");
  });
  CHECK(ranks.join() == std::vector<std::string>{"enough", ""});
}
