// Finds the rank that failed first. Its failure is the root cause: other ranks fail because of it.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error_codes.hpp"

namespace levin::core {

struct Failure {
  int code;  // exit code
  std::string message;
  ErrorCode error = ErrorCode::rank_ended;
};

// What the launcher has recorded about one rank.
struct RankState {
  int rank = 0;
  std::string node;
  pid_t pid = 0;
  bool started = false;
  std::optional<int> wait_status;                     // set once the rank has ended
  std::optional<Failure> said;                        // reported by the rank before it ended
  std::optional<Failure> lost;                        // the rank was lost with its machine
  int stopped_by = 0;                                 // signal that stopped the rank; 0 = not stopped
  std::chrono::steady_clock::time_point failed_at{};  // first sign of the failure

  bool has_ended() const { return wait_status || lost; }
};

// Returns true if this end of a rank is a failure of the run: neither success nor an orderly stop.
bool is_failure(int wait_status);

// Returns "rank 2 (host a, pid 12)".
std::string name_of(const RankState& rank);

// Returns true if the rank has failed and no other rank can have failed before it: it was lost, or it ended without a
// report.
bool is_certain(const RankState& rank);

struct Cause {
  int code;          // exit code of the launcher
  std::string text;  // one line
  bool said_itself;  // the process printed an error line itself
  ErrorCode error = ErrorCode::rank_ended;
};

// Returns the root cause, or nullopt if no rank has failed. Call it a moment after the first sign of a failure, so that
// ranks that failed at about the same time have reported.
std::optional<Cause> root_cause(const std::vector<RankState>& ranks);

}  // namespace levin::core
