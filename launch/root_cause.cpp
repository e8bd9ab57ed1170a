#include "launch/root_cause.hpp"

#include <sys/wait.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/cluster/rank_label.hpp"
#include "core/plugin/child.hpp"

namespace levin::core {
namespace {

bool misses_others(int code) { return code == static_cast<int>(ErrorKind::processes); }

// Returns the rank's place in the search for the root cause; 0 is the most likely. A killed rank reports nothing, while
// the others report within milliseconds that it is lost.
int order(const RankState& rank) {
  if (rank.said) return misses_others(rank.said->code) ? 2 : 1;
  if (rank.wait_status && WIFEXITED(*rank.wait_status) && misses_others(WEXITSTATUS(*rank.wait_status))) return 2;
  return 0;
}

bool has_failed(const RankState& rank) {
  return rank.lost || rank.said || (rank.wait_status && is_failure(*rank.wait_status));
}

bool is_before(const RankState& a, const RankState& b) {
  return order(a) != order(b) ? order(a) < order(b) : a.failed_at < b.failed_at;
}

Cause cause_of(const RankState& rank) {
  if (rank.lost) return {rank.lost->code, "node " + rank.node + ": " + rank.lost->message, false, rank.lost->error};
  if (rank.said)
    return {rank.said->code,
            name_of(rank) + " failed with code " + std::to_string(rank.said->code) + ": " + rank.said->message, true,
            rank.said->error};
  const int status = *rank.wait_status;
  if (WIFSIGNALED(status))
    return {128 + WTERMSIG(status), name_of(rank) + " was killed by " + signal_name(WTERMSIG(status)), false};
  return {WEXITSTATUS(status), name_of(rank) + " ended with code " + std::to_string(WEXITSTATUS(status)), true};
}

}  // namespace

bool is_failure(int status) {
  if (!WIFEXITED(status)) return true;
  const int code = WEXITSTATUS(status);
  return code != 0 && code != exit_saved && code != 130;
}

bool is_certain(const RankState& rank) { return has_failed(rank) && order(rank) == 0; }

std::string name_of(const RankState& rank) { return rank_label(rank.rank, rank.node, rank.pid); }

std::optional<Cause> root_cause(const std::vector<RankState>& ranks) {
  const RankState* first = nullptr;
  for (const RankState& rank : ranks)
    if (has_failed(rank) && (first == nullptr || is_before(rank, *first))) first = &rank;
  if (first == nullptr) return std::nullopt;
  Cause cause = cause_of(*first);
  // The other ranks have only stopped waiting for a stopped rank.
  const auto stopped =
      std::find_if(ranks.begin(), ranks.end(), [](const RankState& r) { return r.stopped_by != 0 && !r.has_ended(); });
  if (stopped != ranks.end() && &*stopped != first && order(*first) != 0)
    cause.text = name_of(*stopped) + " is stopped by " + signal_name(stopped->stopped_by) + "; " + cause.text;
  return cause;
}

}  // namespace levin::core
