// Who waits in vain, by what processes say of themselves.
#include "core/distributed/watch/deadlock.hpp"

#include "catch.hpp"
#include "core/distributed/watch/trail.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {

// A process that has begun so many collectives of the groups "a" (all) and "b".
struct Rank {
  Trail trail;
  std::vector<int> all{0, 1, 2};
  TrailLine &a = *trail.line("a", all), &b = *trail.line("b", all);
  void begins(TrailLine& line, const char* call, const char* purpose = "") {
    TrailStep step;
    step.call = call;
    step.purpose = purpose;
    trail.begin(&line, step);
  }
  // What it says while it waits for the last one of the line, or for this number.
  json waits(const TrailLine& line) { return waits(line, line.begun); }
  json waits(const TrailLine& line, uint64_t number) {
    const Trail::Wait wait(&trail, &line, number, "x");
    return trail.news(std::chrono::milliseconds(0)).value();
  }
  json left() {
    json report = trail.report();
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
  CHECK(deadlock({first, json(), json()}).empty());  // the others may be slow
  const std::string text = deadlock({first, second, json()});
  CHECK_THAT(text, ContainsSubstring("rank 0 waits in all_reduce (gradients), number 1 of a; "
                                     "rank 1 waits in barrier, number 1 of b"));
  CHECK(text.find("rank 2") == std::string::npos);
  two.begins(two.a, "all_reduce", "gradients");
  CHECK_THAT(deadlock({first, second, two.waits(two.a)}), ContainsSubstring("ranks 0, 2 wait in all_reduce"));
  one.begins(one.a, "all_reduce", "gradients");  // has begun it, and waits for others
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
  zero.begins(*zero.trail.line(sends, {0}), "send");
  one.begins(*one.trail.line(receives, {1}), "recv");
  TrailLine theirs;
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
  for (size_t tag = 2; tag < Trail::most_lines; ++tag) REQUIRE(one.trail.line("tag " + std::to_string(tag), {1}));
  CHECK(one.trail.line("a message more", {1}) == nullptr);
  CHECK(one.trail.line("tag 2", {1}) != nullptr);
  CHECK(one.trail.begin(nullptr, {}) == 0);
  TrailLine theirs;
  theirs.name = "a message more";
  theirs.ranks = {1};
  const Trail::Wait wait(&zero.trail, &theirs, 1, "recv");
  const json waits = zero.trail.news(std::chrono::milliseconds(0)).value();
  CHECK(deadlock({waits, one.left()}).empty());
  CHECK_FALSE(deadlock({waits, Rank().left()}).empty());
}

TEST_CASE("what others say may be anything") {
  Rank zero;
  zero.begins(zero.a, "barrier");
  CHECK(deadlock({zero.waits(zero.a), json::parse("nonsense", nullptr, false)}).empty());
}
