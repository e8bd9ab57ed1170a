// Detection of deadlocks from the reports of the processes.

#include "catch.hpp"
#include "core/distributed/watch/collective_log.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {

// A process that starts collectives of the groups "a" (all ranks) and "b".
struct Rank {
  CollectiveLog collective_log;
  std::vector<int> all{0, 1, 2};
  CollectiveLine &a = *collective_log.line("a", all), &b = *collective_log.line("b", all);
  void begins(CollectiveLine& line, const char* call, const char* purpose = "") {
    CollectiveCall step;
    step.call = call;
    step.purpose = purpose;
    collective_log.begin(&line, step);
  }
  // Returns the process's report while it waits for the last collective of the line, or for the given number.
  json waits(const CollectiveLine& line) { return waits(line, line.begun); }
  json waits(const CollectiveLine& line, uint64_t number) {
    const CollectiveLog::Wait wait(&collective_log, &line, number, "x");
    return collective_log.news(std::chrono::milliseconds(0)).value();
  }
  json left() {
    json report = collective_log.report();
    report["left"] = true;
    return report;
  }
};

}  // namespace

TEST_CASE("processes that wait in different collectives are named, and slow ones are not") {
  Rank zero, one, two;
  zero.begins(zero.a, "all_reduce", "gradients");
  one.begins(one.b, "barrier");
  const json first = zero.waits(zero.a), second = one.waits(one.b);
  CHECK(deadlock({first, json(), json()}).empty());  // the others may only be slow
  const std::string text = deadlock({first, second, json()});
  CHECK_THAT(text, ContainsSubstring("rank 0 waits in all_reduce (gradients), number 1 of a; "
                                     "rank 1 waits in barrier, number 1 of b"));
  CHECK(text.find("rank 2") == std::string::npos);
  two.begins(two.a, "all_reduce", "gradients");
  CHECK_THAT(deadlock({first, second, two.waits(two.a)}), ContainsSubstring("ranks 0, 2 wait in all_reduce"));
  one.begins(one.a, "all_reduce", "gradients");  // it has started the collective and waits for others
  CHECK(deadlock({first, one.waits(one.a), json()}).empty());
}

TEST_CASE("a process that has ended is waited for in vain, unless it had done its part") {
  Rank zero, one;
  zero.begins(zero.a, "all_gather", "logged values");
  CHECK_THAT(deadlock({zero.waits(zero.a), one.left()}), ContainsSubstring("rank 1 has ended"));
  one.begins(one.a, "all_gather", "logged values");
  CHECK(deadlock({zero.waits(zero.a), one.left()}).empty());
  CHECK(deadlock({zero.left(), one.left()}).empty());
}

TEST_CASE("another collective in the place of one that is awaited is named") {
  Rank zero, one;
  zero.begins(zero.a, "all_gather", "logged values");
  one.begins(one.a, "all_gather", "a checkpoint");
  CHECK_THAT(deadlock({zero.waits(zero.a), one.waits(one.a)}),
             ContainsSubstring("rank 0 waits in all_gather (logged values), number 1 of a") &&
                 ContainsSubstring("rank 1 has called all_gather (a checkpoint) in its place"));
}

TEST_CASE("a long message is no deadlock, though one process sends it and the other one receives it") {
  const std::string sends = "sends from rank 0 to rank 1", receives = "receives from rank 0 by rank 1";
  Rank zero, one;
  zero.begins(*zero.collective_log.line(sends, {0}), "send");
  one.begins(*one.collective_log.line(receives, {1}), "recv");
  CollectiveLine theirs;
  theirs.name = receives;
  theirs.ranks = {1};
  const json sender = zero.waits(theirs, 1);
  theirs.name = sends;
  theirs.ranks = {0};
  CHECK(deadlock({sender, one.waits(theirs, 1)}).empty());
}

TEST_CASE("a collective that was begun so long ago that its own process has forgotten it is compared with none") {
  Rank zero, one;
  for (int i = 0; i < 17; ++i) zero.begins(zero.a, "all_reduce", "gradients");
  one.begins(one.a, "all_reduce", "gradients");
  CHECK(deadlock({zero.waits(zero.a, 1), one.waits(one.a, 1)}).empty());
}

TEST_CASE("a process with too many lines to note proves nothing of those that it has left out") {
  Rank zero, one;
  for (size_t tag = 2; tag < CollectiveLog::most_lines; ++tag)
    REQUIRE(one.collective_log.line("tag " + std::to_string(tag), {1}));
  CHECK(one.collective_log.line("a message more", {1}) == nullptr);
  CHECK(one.collective_log.line("tag 2", {1}) != nullptr);
  CHECK(one.collective_log.begin(nullptr, {}) == 0);
  CollectiveLine theirs;
  theirs.name = "a message more";
  theirs.ranks = {1};
  const CollectiveLog::Wait wait(&zero.collective_log, &theirs, 1, "recv");
  const json waits = zero.collective_log.news(std::chrono::milliseconds(0)).value();
  CHECK(deadlock({waits, one.left()}).empty());
  CHECK_FALSE(deadlock({waits, Rank().left()}).empty());
}

TEST_CASE("what others say may be anything") {
  Rank zero;
  zero.begins(zero.a, "barrier");
  CHECK(deadlock({zero.waits(zero.a), json::parse("nonsense", nullptr, false)}).empty());
}
