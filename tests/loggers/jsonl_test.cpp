#include <cmath>

#include "catch.hpp"
#include "levin/error.hpp"
#include "levin/testing.hpp"
#include "loggers/common/append_file.hpp"
#include "loggers/common/text_file.hpp"
#include "loggers/jsonl/line.hpp"
#include "temp_folder.hpp"

namespace jsonl_test {
using levin::testing::Component;
using levin::testing::FakeHost;

TEST_CASE("a line is one JSON object") {
  CHECK(levin::jsonl::line(3, 1700000000.25, {{"epoch", 2}, {"loss", 0.1}, {"a\"b\\\n", 1}}) ==
        "{\"step\":3,\"time\":1700000000.250,\"epoch\":2,\"metrics\":{\"loss\":0.1,\"a\\\"b\\\\\\u000a\":1.0}}\n");
  CHECK(levin::jsonl::line(0, 0, {{"n", std::nan("")}, {"p", INFINITY}, {"m", -INFINITY}}) ==
        "{\"step\":0,\"time\":0.000,\"metrics\":{\"n\":\"NaN\",\"p\":\"Infinity\",\"m\":\"-Infinity\"}}\n");
}

TEST_CASE("a resumed run drops the lines after the checkpoint and goes on") {
  const TempFolder dir;
  FakeHost host;
  {
    Component jsonl(host, "jsonl");
    jsonl.begin(dir.path().string());
    for (int step = 0; step < 4; ++step) jsonl.metrics(step, {{"a", step}});
    jsonl.flush();
    jsonl.finalize("interrupted");
  }
  std::ofstream(dir.path() / "metrics.jsonl", std::ios::app) << "{\"step\":1,\"ti";  // truncated by a crash
  Component jsonl(host, "jsonl", {{"prefix", "p"}});
  jsonl.begin(dir.path().string(), "{}", 1);
  jsonl.metrics(2, {{"a", 20}});
  jsonl.finalize();
  const std::string text = dir.read("metrics.jsonl");
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  CHECK_THAT(text, ContainsSubstring("\"metrics\":{\"a\":1.0}}\n{\"step\":2,"));
  CHECK_THAT(text, ContainsSubstring("{\"p-a\":20.0}"));
}

TEST_CASE("what cannot be written is told with the file and the reason, and waits") {
  const auto full = levin::loggers::AppendFile::open("/dev/full", 0);
  REQUIRE(full);
  full->write("a row\n");
  CHECK_THROWS_WITH(full->flush(), "cannot write /dev/full: No space left on device; make room there");
  CHECK_THROWS_AS(full->flush(), levin::Error);
  CHECK_FALSE(levin::loggers::AppendFile::open("/nowhere/metrics.jsonl", 0));
  CHECK_THROWS_WITH(levin::loggers::write_text("/dev/full", "a row\n", std::ios::app),
                    "cannot write /dev/full: No space left on device; make room there");
  CHECK_THROWS_WITH(levin::loggers::write_text("/nowhere/x", "a row\n", std::ios::trunc),
                    "cannot write /nowhere/x: No such file or directory");
}

TEST_CASE("a run with a name and tags begins with a line that says them") {
  const TempFolder dir;
  FakeHost host;
  Component jsonl(host, "jsonl");
  jsonl.begin(dir.path().string(), "{}", -1, "the \"first\"", {"a", "b"});
  jsonl.metrics(0, {{"a", 1}});
  jsonl.finalize();
  CHECK(dir.read("metrics.jsonl").find("{\"run\":\"the \\\"first\\\"\",\"tags\":[\"a\",\"b\"]}\n{\"step\":0,") == 0);
}

TEST_CASE("a fresh run begins a new file, of the name it was given, and keeps an earlier one") {
  const TempFolder dir;
  FakeHost host;
  for (int run = 0; run < 2; ++run) {
    Component jsonl(host, "jsonl", {{"filename", "m.txt"}});
    jsonl.begin(dir.path().string());
    jsonl.metrics(0, {{"a", 1}});
    jsonl.finalize();
  }
  const std::string text = dir.read("m.txt");
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
  CHECK_THAT(dir.read("m-1.txt"), ContainsSubstring("{\"a\":1.0}"));
  REQUIRE(host.messages.size() == 1);
  CHECK_THAT(host.messages[0].second, ContainsSubstring("m-1.txt"));
  CHECK_THROWS_WITH(Component(host, "jsonl", {{"filename", ""}}), ContainsSubstring("filename"));
}

TEST_CASE("a resumed run keeps the lines of before the checkpoint, whatever their steps") {
  const TempFolder dir;
  FakeHost host;
  levin::testing::State state;
  {
    Component jsonl(host, "jsonl");
    jsonl.begin(dir.path().string());
    for (const double a : {1, 2, 3}) jsonl.metrics(0, {{"a", a}});
    state = jsonl.save();
    jsonl.metrics(0, {{"a", 4}});
    jsonl.metrics(1, {{"a", 5}});
    jsonl.finalize("failed");
  }
  Component jsonl(host, "jsonl");
  jsonl.load(state);
  CHECK(jsonl.save().bytes == state.bytes);
  jsonl.begin(dir.path().string(), "{}", 0);
  CHECK(jsonl.save().bytes == state.bytes);
  jsonl.metrics(1, {{"a", 50}});
  jsonl.finalize();
  const std::string text = dir.read("metrics.jsonl");
  CHECK(std::count(text.begin(), text.end(), '\n') == 4);
  CHECK_THAT(text,
             ContainsSubstring("\"a\":3.0}}\n{\"step\":1,") && ContainsSubstring("50.0") && !ContainsSubstring("4.0}"));
  CHECK(levin::jsonl::whole_lines("ab\ncd\nef", 6) == "ab\ncd\n");
  CHECK(levin::jsonl::whole_lines("ab\ncd\nef", 99) == "ab\ncd\n");
  CHECK(levin::jsonl::whole_lines("ab\ncd\nef", 5) == "ab\n");
  CHECK(levin::jsonl::whole_lines("ab", 1).empty());
}

}  // namespace jsonl_test
