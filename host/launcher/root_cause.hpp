// Which of the ranks that failed was the first: the others fail because of it.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace levin::core {

struct Failure {
  int code;
  std::string message;
};

// What the launcher knows of one rank.
struct RankState {
  int rank = 0;
  std::string node;
  pid_t pid = 0;
  bool started = false;
  std::optional<int> wait_status;                     // it has ended
  std::optional<Failure> said;                        // its own line before it ended
  std::optional<Failure> lost;                        // with its machine
  int stopped_by = 0;                                 // a signal; 0: it is not stopped
  std::chrono::steady_clock::time_point failed_at{};  // the first sign of it

  bool has_ended() const { return wait_status || lost; }
};

// Whether the run as a whole has failed with this end: neither done nor stopped in good order.
bool is_failure(int wait_status);

// "rank 2 (node a, pid 12)"
std::string name_of(const RankState& rank);

// Whether no other rank can have failed before this one that has: it was lost, or ended without a word.
bool is_certain(const RankState& rank);

struct Cause {
  int code;          // of the launcher
  std::string text;  // one line
  bool said_itself;  // the process ended with an error line of its own
};

// After the first sign of a failure, when those that failed at about the same time have had a moment to say so.
// nullopt: no rank has failed.
std::optional<Cause> root_cause(const std::vector<RankState>& ranks);

}  // namespace levin::core
