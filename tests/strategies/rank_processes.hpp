// The processes of a run as child processes of the test, after the rendezvous. A child reports a failure by throwing.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/distributed/processes.hpp"
#include "tests/distributed/forked_ranks.hpp"

// Returns the message of each rank; empty = success.
inline std::vector<std::string> in_ranks(int size, const std::function<void(levin::core::Processes&)>& work) {
  Ranks ranks;
  ranks.start(size, [&](int rank, const FileStore&) {
    levin::core::World world;
    world.rank = world.local_rank = rank;
    world.size = world.local_size = size;
    levin::core::RendezvousOptions options;
    options.init_method = "file://" + (ranks.folder / "rendezvous").string();
    levin::core::Processes processes(world, options, [](const std::string&) {});
    work(processes);
  });
  return ranks.join();
}

inline std::vector<std::string> all_well(int size) { return std::vector<std::string>(static_cast<size_t>(size)); }
