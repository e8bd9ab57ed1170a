// Messages between processes that are threads of the test.
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <atomic>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tests/logging/several_processes.hpp"

using namespace levin::core;

namespace {

using Work2 = std::function<void(int rank, ProcessGroup& group)>;

void in_two(const Work2& work, const ProcessGroupOptions& options = within_a_minute()) {
  in_processes<bool>(
      2,
      [&](int rank, ProcessGroup& group, CollectiveLog&) {
        work(rank, group);
        return true;
      },
      options);
}

// Calls f and returns "KIND: MESSAGE" of its Error, "" if it throws none.
std::string error_of(const std::function<void()>& f) try {
  f();
  return "";
} catch (const Error& e) {
  return (e.kind() == ErrorKind::usage       ? "usage: "
          : e.kind() == ErrorKind::processes ? "processes: "
                                             : "other: ") +
         std::string(e.what());
}

at::Tensor numbers(std::initializer_list<int64_t> sizes, at::ScalarType type = at::kFloat) {
  int64_t n = 1;
  for (const int64_t size : sizes) n *= size;
  return at::arange(n).to(type).reshape(sizes);
}

}  // namespace

TEST_CASE("a tensor arrives as it was sent, whatever its size, type and layout") {
  const std::vector<at::Tensor> tensors = {numbers({2, 3}),
                                           numbers({}),
                                           at::empty({0, 4}),
                                           numbers({3, 5}).t(),
                                           numbers({2, 2}, at::kLong),
                                           numbers({4}, at::kBool),
                                           numbers({3}, at::kShort),
                                           numbers({3}, at::kHalf),
                                           numbers({3}, at::kBFloat16),
                                           numbers({2, 2}, at::kComplexFloat),
                                           numbers({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}),
                                           numbers({1 << 20})};
  in_two([&](int rank, ProcessGroup& group) {
    for (const at::Tensor& sent : tensors) {
      const at::Tensor got = at::zeros_like(sent);
      rank == 0 ? group.send(sent, 1, 3)->wait() : group.receive(got, 0, 3)->wait();
      must(rank == 0 || at::equal(got, sent), "a tensor has changed on its way");
    }
  });
}

TEST_CASE("a tensor of more dimensions than a header holds is refused before anything is sent") {
  in_two([&](int rank, ProcessGroup& group) {
    const at::Tensor deep = at::zeros({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}), flat = at::ones({2});
    const std::string said = error_of([&] { rank == 0 ? group.send(deep, 1, 0) : group.receive(deep, 0, 0); });
    must(said == "usage: a tensor that is sent has at most 12 dimensions, not 13", said);
    const at::Tensor got = at::zeros({2});
    rank == 0 ? group.send(flat, 1, 0)->wait() : group.receive(got, 0, 0)->wait();
    must(rank == 0 || at::equal(got, flat), "the next message is not the next one");
  });
}

TEST_CASE("messages of one tag keep their order, and those of another tag do not wait for them") {
  in_two([](int rank, ProcessGroup& group) {
    // Of each tag one of the two processes does not wait between its calls.
    for (const int hasty : {0, 1}) {
      std::vector<std::unique_ptr<Work>> work;
      std::vector<at::Tensor> got;
      for (int i = 0; i < 20; ++i) {
        got.push_back(at::zeros({3}));
        work.push_back(rank == 0 ? group.send(at::full({3}, 1.0 * i), 1, hasty) : group.receive(got.back(), 0, hasty));
        if (rank != hasty) work.back()->wait();
      }
      for (const auto& one : work) one->wait();
      for (size_t i = 0; rank == 1 && i < got.size(); ++i)
        must(at::equal(got[i], at::full({3}, static_cast<double>(i))), "the order has changed");
    }
    const at::Tensor first = at::zeros({1}), second = at::zeros({1});
    if (rank == 0) {
      const auto waits = group.send(at::full({1}, 1.0), 1, 7);
      group.send(at::full({1}, 2.0), 1, 8)->wait();
      waits->wait();
    } else {
      group.receive(second, 0, 8)->wait();
      group.receive(first, 0, 7)->wait();
      must(first.item().toInt() == 1 && second.item().toInt() == 2, "the tags are mixed up");
    }
  });
}

TEST_CASE("processes that send large tensors to each other at once do not wait for each other") {
  in_two([](int rank, ProcessGroup& group) {
    const at::Tensor own = at::full({1 << 20}, rank + 1.0), got = at::zeros({1 << 20});
    const auto sent = group.send(own, 1 - rank, 0), received = group.receive(got, 1 - rank, 0);
    sent->wait();
    received->wait();
    must(sent->done() && received->done(), "a message that has arrived is not done");
    must(got.min().item().toDouble() == 2 - rank && got.max().item().toDouble() == 2 - rank, "another tensor");
  });
}

TEST_CASE("a tensor that does not fit is named to its receiver, and the sender and the next message go on") {
  struct Case {
    at::Tensor sent, expected;
    const char* said;
  };
  const Case cases[] = {
      {at::ones({2, 3}), at::zeros({3, 2}), "rank 0 sent Float[2, 3], and the tensor for it is Float[3, 2]"},
      {at::ones({2}), at::zeros({2}, at::kLong), "rank 0 sent Float[2], and the tensor for it is Long[2]"},
      {at::ones({2}, at::kBool), at::zeros({2}, at::kByte), "rank 0 sent Bool[2], and the tensor for it is Byte[2]"},
      {at::ones({0}), at::zeros({2}), "rank 0 sent Float[0], and the tensor for it is Float[2]"}};
  in_two([&](int rank, ProcessGroup& group) {
    for (const Case& c : cases) {
      const at::Tensor good = at::full({2}, 5.0), got = at::zeros({2});
      if (rank == 0) {
        group.send(c.sent, 1, 0)->wait();
        group.send(good, 1, 0)->wait();
        continue;
      }
      const std::string said = error_of([&] { group.receive(c.expected, 0, 0)->wait(); });
      must(said == "usage: recv: " + std::string(c.said), said);
      must(c.expected.sum().item().toDouble() == 0, "the tensor has been written");
      group.receive(got, 0, 0)->wait();
      must(at::equal(got, good), "the next message is not the next one");
    }
  });
}

TEST_CASE("a process that is gone ends the wait for its message") {
  std::string said;
  CHECK_THROWS_WITH(in_two([&](int rank, ProcessGroup& group) {
                      if (rank == 1) throw std::runtime_error("rank 1 is gone");
                      said = error_of([&] { group.receive(at::zeros({2}), 1, 0)->wait(); });
                      throw std::runtime_error("rank 0 was told");
                    }),
                    "rank 0 was told");
  CHECK_THAT(said, ContainsSubstring("processes: recv between two processes of the run failed: "));
}

TEST_CASE("a message that does not come within the timeout is given up") {
  ProcessGroupOptions options;
  options.timeout = std::chrono::seconds(1);
  std::string said;
  CHECK_THROWS(in_two(
      [&](int rank, ProcessGroup& group) {
        if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(2500));
        if (rank == 0) said = error_of([&] { group.receive(at::zeros({2}), 1, 0)->wait(); });
        throw std::runtime_error("the end");
      },
      options));
  CHECK(said == "processes: recv between two processes of the run failed: no answer within 1 seconds");
}

TEST_CASE("a wait asks again and again whether to go on") {
  std::atomic<bool> lost{false};
  ProcessGroupOptions options = within_a_minute();
  options.while_waiting = [&] {
    if (lost) throw Error(ErrorCode::rank_lost, "rank 1 has failed elsewhere");
  };
  in_two(
      [&](int rank, ProcessGroup& group) {
        if (rank == 0) {
          lost = true;
          const std::string said = error_of([&] { group.receive(at::zeros({2}), 1, 0)->wait(); });
          lost = false;
          must(said == "processes: rank 1 has failed elsewhere", said);
        } else {
          for (int i = 0; i < 2000 && !lost; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
          for (int i = 0; i < 2000 && lost; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
      },
      options);
}

TEST_CASE("each message is a call in the log of both processes, of its direction, peers and tag") {
  in_processes<bool>(3, [](int rank, ProcessGroup& group, CollectiveLog& log) {
    if (rank == 2) group.send(at::ones({2}), 0, 5)->wait();
    if (rank == 0) group.receive(at::zeros({2}), 2, 5)->wait();
    if (rank == 0) group.send(at::ones({2}), 2, 5)->wait();
    if (rank == 2) group.receive(at::zeros({2}), 0, 5)->wait();
    const auto begun = [&](const char* name) { return log.line(name, {rank})->begun; };
    must(begun("sends from rank 2 to rank 0, tag 5, in group 'test'") == (rank == 2 ? 1 : 0), "sends of rank 2");
    must(begun("receives from rank 2 by rank 0, tag 5, in group 'test'") == (rank == 0 ? 1 : 0), "of rank 2");
    must(begun("sends from rank 0 to rank 2, tag 5, in group 'test'") == (rank == 0 ? 1 : 0), "sends of rank 0");
    must(begun("receives from rank 0 by rank 2, tag 5, in group 'test'") == (rank == 2 ? 1 : 0), "of rank 0");
    return true;
  });
}

TEST_CASE("a process alone has nobody to send to") {
  ProcessGroup alone;
  CHECK(error_of([&] { alone.send(at::ones({1}), 0, 0); }) == "usage: send: there is no other process");
  CHECK(error_of([&] { alone.receive(at::ones({1}), 0, 0); }) == "usage: recv: there is no other process");
}
