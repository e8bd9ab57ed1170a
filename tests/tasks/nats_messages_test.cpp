// Messages in the stream of a job, and the jobs that a worker sees.
#include "catch.hpp"
#include "tasks/nats/held_tasks.hpp"
#include "tasks/nats/job_board.hpp"
#include "tasks/nats/messages.hpp"

using namespace levin::core::tasks;

TEST_CASE("a task is the same after it was packed") {
  TaskMessage task{7, 2, {0, 4, std::string("a\0b\n", 4)}, true};
  const auto got = unpacked_message(packed(task));
  REQUIRE(got);
  CHECK((got->index == 7 && got->attempt == 2 && got->body.chunks == 0 && got->body.bytes == task.body.bytes));
  CHECK(got->copy);
  task.body = {3, 1u << 30, "7.task"};
  const auto blob = unpacked_message(packed(task));
  REQUIRE(blob);
  CHECK((blob->body.chunks == 3 && blob->body.size == 1u << 30 && blob->body.bytes == "7.task"));
}

TEST_CASE("several results fit into a message") {
  std::string message;
  append(message, {1, 1, Ended::result, 0.5, "a/1", {0, 2, "ok"}});
  append(message, {2, 3, Ended::failed, 0, "b/2", {0, 0, ""}});
  const auto got = unpacked_records(message);
  REQUIRE(got);
  REQUIRE(got->size() == 2);
  CHECK((got->at(0).worker == "a/1" && got->at(0).body.bytes == "ok" && got->at(0).seconds == 0.5));
  CHECK((got->at(1).index == 2 && got->at(1).attempt == 3 && got->at(1).how == Ended::failed));
}

TEST_CASE("damaged messages are refused") {
  const std::string task = packed(TaskMessage{7, 2, {0, 4, "data"}, false});
  std::string results;
  append(results, {1, 1, Ended::result, 0.5, "a/1", {0, 2, "ok"}});
  for (size_t n = 0; n < task.size(); ++n) CHECK_FALSE(unpacked_message(task.substr(0, n)));
  for (size_t n = 1; n < results.size(); ++n) CHECK_FALSE(unpacked_records(results.substr(0, n)));
  CHECK_FALSE(unpacked_message(task + "x"));
  std::string version = task, how = results;
  version[0] ^= 1;
  CHECK_FALSE(unpacked_message(version));
  how[32] = 99;  // no way to end
  CHECK_FALSE(unpacked_records(how));
  CHECK_FALSE(unpacked_message(packed(TaskMessage{7, 2, {0, 9, "data"}, false})));  // says another size
}

TEST_CASE("what is no sound announcement is ignored") {
  const std::string sum(64, 'a');
  CHECK(parsed<JobInfo>(R"({"id": "12ab", "session": "1", "stream": "s_1", "sha256": ")" + sum + R"("})"));
  CHECK_FALSE(parsed<JobInfo>(R"({"id": "a.b", "session": "1", "stream": "s_1", "sha256": ")" + sum + R"("})"));
  CHECK_FALSE(parsed<JobInfo>(R"({"id": "12ab", "session": "1", "stream": "s_1", "sha256": "../x"})"));
  CHECK_FALSE(parsed<JobInfo>(R"({"id": "12ab", "session": "1", "stream": "s.*", "sha256": ")" + sum + R"("})"));
  for (const char* bad : {"", "{}", "[]", "null", R"({"id": 5})"}) CHECK_FALSE(parsed<JobInfo>(bad));
  CHECK(parsed<WorkerInfo>(R"({"name": "a", "slots": 4})"));
  CHECK_FALSE(parsed<WorkerInfo>(R"({"name": "a", "slots": 18446744073709551615})"));
}

TEST_CASE("a worker takes tasks of announced jobs by priority and in turn") {
  JobBoard board;
  const auto job = [](const char* id, int64_t priority) {
    JobInfo out;
    out.id = id;
    out.session = std::string("s") + id;
    out.priority = priority;
    return out;
  };
  for (const char* id : {"a", "b"}) board.announced(job(id, 0));
  board.announced(job("c", 1));
  REQUIRE(board.open(0).size() == 3);
  CHECK((board.open(0)[0]->id == "c" && board.open(1)[0]->id == "c"));
  CHECK(board.open(0)[1]->id != board.open(1)[1]->id);
  board.held({"a", "another session"});
  CHECK(board.open(0).size() == 3);
  board.held({"a", "sa"});
  CHECK(board.open(0).size() == 2);
  board.stopped({"b", "sb"});
  board.announced(job("b", 0));  // was on its way
  CHECK((board.open(0).size() == 1 && board.is_stopped(job("b", 0))));
  JobInfo again = job("b", 0);
  again.session = "goes on";
  board.announced(again);
  CHECK((board.open(0).size() == 2 && !board.is_stopped(again)));
}

TEST_CASE("a worker hears of another stream of a job, and does not take a job again that it cannot compute") {
  JobBoard board;
  JobInfo job;
  job.id = "a";
  job.session = "s";
  job.stream = "first";
  board.announced(job);
  const uint64_t news = board.news();
  job.stream = "second";
  board.announced(job);
  CHECK((board.open(0).at(0)->stream == "second" && board.news() > news));
  board.refuse(job);
  job.stream = "third";
  board.announced(job);
  CHECK(board.open(0).empty());
}

TEST_CASE("a task that a worker has already is not taken twice") {
  HeldTasks held;
  CHECK(held.take("a.1", "first"));
  CHECK_FALSE(held.take("a.1", "second"));
  CHECK(held.release("a.1") == "second");
  CHECK(held.replies().empty());
  CHECK(held.take("a.1", "third"));
}
