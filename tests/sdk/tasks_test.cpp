// Classes of tasks: what read, handle and sum get and give, as text and as JSON.
#include "levin/tasks.hpp"

#include "catch.hpp"
#include "levin/testing.hpp"
#include "levin/testing/tasks.hpp"

using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

struct JoinTasks : levin::Tasks {
  static constexpr levin_option options[] = {levin::text("mark", "\"-\"", "between words")};
  explicit JoinTasks(const levin::Args& args) : mark(args.text("mark")) {}
  void read(const std::string& file, levin::TaskList& tasks) {
    if (file.empty()) throw levin::Error(LEVIN_E_NOT_FOUND, "no file is named");
    tasks.add(std::string_view("a\0b", 3), "first", 2.5);
    levin::TaskOptions large;
    large.name = "large";
    large.cpus = 4;
    large.gpus = 1;
    large.memory = 2000;
    large.labels = "a100,fast";
    tasks.add("", large);
    tasks.add(file);
  }
  std::string handle(const levin::Task& task) {
    if (task.data() == "bad") throw std::runtime_error("it is bad");
    return task.text() + "/" + std::to_string(task.index()) + "/" + std::to_string(task.attempt()) + task.name();
  }
  std::string sum(levin::Results& results) {
    std::string out = std::to_string(results.size());
    for (levin::Result result; results.next(result);) out += mark + result.text() + std::to_string(result.index());
    return out;
  }
  std::string mark;
};
const levin_component join_tasks = levin::tasks<JoinTasks>("words", "Joins words");

// A value as libraries for JSON have it.
struct JsonText {
  std::string text;
  std::string dump() const { return "{" + text + "}"; }
  static JsonText parse(std::string_view bytes) { return {std::string(bytes.substr(1, bytes.size() - 2))}; }
};
struct JsonTasks : levin::Tasks {
  void read(const std::string& file, levin::TaskList& tasks) { tasks.add(JsonText{file}); }
  JsonText handle(const levin::Task& task) { return {task.json<JsonText>().text + "!"}; }
  void sum(levin::Results& results, levin::Output& output) {
    for (levin::Result result; results.next(result);) output.write(result.json<JsonText>());
    output.write("end");
  }
};
const levin_component json_tasks = levin::tasks<JsonTasks>("json_tasks", "");

}  // namespace

TEST_CASE("a class of tasks reads, handles and sums") {
  FakeHost host;
  Component tasks(host, join_tasks, {{"mark", "+"}});
  CHECK(join_tasks.kind == LEVIN_KIND_TASKS);
  const auto read = levin::testing::read(tasks, "file");
  REQUIRE(read.size() == 3);
  CHECK(read[0].data == std::string("a\0b", 3));
  CHECK((read[0].name == "first" && read[0].weight == 2.5));
  CHECK((read[1].data.empty() && read[1].name == "large" && read[1].weight == 1 && read[1].cpus == 4));
  CHECK((read[1].gpus == 1 && read[1].memory == 2000 && read[1].labels == "a100,fast"));
  CHECK((read[2].data == "file" && read[2].name.empty() && read[2].cpus == 1 && read[2].gpus == 0));
  CHECK(handle(tasks, "x", 7, 2) == "x/7/2");
  CHECK(sum(tasks, {"a", "", "c"}) == "3+a0+1+c2");
  CHECK(sum(tasks, {}) == "0");
}

TEST_CASE("a failure of tasks reaches the host with its reason, and a refusal of the host ends the call") {
  FakeHost host;
  Component tasks(host, join_tasks);
  CHECK_THROWS_WITH(handle(tasks, "bad"), "it is bad");
  CHECK_THROWS_WITH(levin::testing::read(tasks, ""), "no file is named");
  int calls = 0;
  const levin_task_sink sink = {sizeof sink, 0, &calls,
                                [](const levin_task_sink* to, const levin_task*) -> levin_status {
                                  ++*static_cast<int*>(to->ctx);
                                  return LEVIN_E_IO;
                                }};
  CHECK(tasks.table<levin_tasks>().read(tasks.self(), "file", &sink) == LEVIN_E_IO);
  CHECK(calls == 1);
}

TEST_CASE("tasks, results and outputs may be JSON values of any library") {
  FakeHost host;
  Component tasks(host, json_tasks);
  CHECK(levin::testing::read(tasks, "f").at(0).data == "{f}");
  CHECK(handle(tasks, "{f}") == "{f!}");
  CHECK(sum(tasks, {"{f!}", "{g!}"}) == "{f!}{g!}end");
}
