// The processes of a run as threads of the test. Each has its own process group; the rendezvous is one store.
#pragma once
#include <exception>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/distributed/process_group.hpp"

// A check for the threads, where Catch2's macros cannot be used.
inline void must(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

inline levin::core::ProcessGroupOptions within_a_minute() {
  levin::core::ProcessGroupOptions options;
  options.timeout = std::chrono::seconds(60);
  return options;
}

// Calls work in each of n processes and returns the results by rank. Rethrows an error of a process. collective_log
// counts the process's collectives in its line "group 'test'".
template <class Result>
std::vector<Result> in_processes(int n,
                                 const std::function<Result(int rank, levin::core::ProcessGroup& group,
                                                            levin::core::CollectiveLog& collective_log)>& work,
                                 levin::core::ProcessGroupOptions options = within_a_minute()) {
  const auto served = levin::core::serve_store({}, "127.0.0.1", std::chrono::seconds(60));
  levin::core::RendezvousAddress place;
  place.address = "127.0.0.1";
  place.port = served->port();
  std::vector<Result> results(static_cast<size_t>(n));
  std::vector<std::exception_ptr> failures(static_cast<size_t>(n));
  std::vector<int> ranks(static_cast<size_t>(n));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<std::thread> threads;
  for (const int rank : ranks)
    threads.emplace_back([&, rank] {
      const auto at = static_cast<size_t>(rank);
      try {
        const auto store = levin::core::join_store(place, std::chrono::seconds(60));
        levin::core::CollectiveLog collective_log;
        levin::core::ProcessGroupOptions own = options;
        own.collective_log = &collective_log;
        own.collective_log_name = "test";
        levin::core::ProcessGroup group(*store, "test", ranks, rank, own);
        results[at] = work(rank, group, collective_log);
        group.barrier();
      } catch (...) {
        failures[at] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return results;
}

template <class Result>
std::vector<Result> in_processes(int n, const std::function<Result(int rank, levin::core::ProcessGroup& group)>& work) {
  return in_processes<Result>(
      n, [&](int rank, levin::core::ProcessGroup& group, levin::core::CollectiveLog&) { return work(rank, group); });
}
