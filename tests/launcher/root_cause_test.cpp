#include "launch/root_cause.hpp"

#include <csignal>

#include "catch.hpp"

using namespace levin::core;
using std::chrono::milliseconds;

namespace {

constexpr int killed(int signal) { return signal; }  // wait statuses of Linux
constexpr int exited(int code) { return code << 8; }

std::vector<RankState> four() {
  std::vector<RankState> ranks(4);
  for (int i = 0; i < 4; ++i) {
    ranks[static_cast<size_t>(i)].rank = i;
    ranks[static_cast<size_t>(i)].node = "a";
    ranks[static_cast<size_t>(i)].pid = 100 + i;
  }
  return ranks;
}

void fail(RankState& rank, int after_ms) { rank.failed_at += milliseconds(after_ms + 1); }

}  // namespace

TEST_CASE("the first rank that failed is the cause, with its own words") {
  auto ranks = four();
  ranks[2].said = Failure{1, "a number is odd"};
  ranks[0].said = Failure{7, "lost rank 2"};
  fail(ranks[2], 3);
  fail(ranks[0], 1);
  const auto cause = root_cause(ranks);
  REQUIRE(cause);
  CHECK(cause->code == 1);
  CHECK(cause->text == "rank 2 (host a, pid 102) failed with code 1: a number is odd");
}

TEST_CASE("a rank that was killed is the cause, though others were faster to say that it is lost") {
  auto ranks = four();
  ranks[1].said = Failure{1, "Connection reset by peer"};
  ranks[3].wait_status = killed(SIGKILL);
  fail(ranks[1], 0);
  fail(ranks[3], 5);
  CHECK(root_cause(ranks)->code == 137);
  CHECK(root_cause(ranks)->text == "rank 3 (host a, pid 103) was killed by SIGKILL");
}

TEST_CASE("a rank that ended without a word is named with its code") {
  auto ranks = four();
  ranks[0].wait_status = exited(7);
  ranks[3].wait_status = exited(70);
  fail(ranks[0], 0);
  fail(ranks[3], 1);
  CHECK(root_cause(ranks)->text == "rank 3 (host a, pid 103) ended with code 70");
}

TEST_CASE("a rank that is stopped is named by the failure of those that waited for it") {
  auto ranks = four();
  ranks[1].stopped_by = SIGSTOP;
  ranks[0].said = Failure{7, "rank 1 does not answer"};
  fail(ranks[0], 0);
  CHECK(root_cause(ranks)->text ==
        "rank 1 (host a, pid 101) is stopped by SIGSTOP; rank 0 (host a, pid 100) failed with code 7: rank 1 does not "
        "answer");
}

TEST_CASE("an end in good order is no failure") {
  for (const int code : {0, 75, 130}) CHECK(!is_failure(exited(code)));
  for (const int code : {1, 2, 7, 70, 143}) CHECK(is_failure(exited(code)));
  CHECK(is_failure(killed(SIGTERM)));
  CHECK(!root_cause(four()));
}
