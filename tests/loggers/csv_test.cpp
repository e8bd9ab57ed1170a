#include <cmath>

#include "catch.hpp"
#include "levin/testing.hpp"
#include "loggers/common/yaml.hpp"
#include "loggers/csv/flush_rule.hpp"
#include "loggers/csv/table.hpp"
#include "temp_folder.hpp"

namespace csv_test {
using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

std::vector<std::string> warnings_of(const FakeHost& host) {
  std::vector<std::string> out;
  for (const auto& [level, text] : host.messages)
    if (level >= LEVIN_LOG_WARNING) out.push_back(text);
  return out;
}

}  // namespace

TEST_CASE("metrics.csv has sorted columns, empty cells and numbers that read back") {
  const TempFolder dir;
  FakeHost host;
  Component csv(host, "csv");
  csv.begin(dir.path().string());
  csv.metrics(0, {{"loss_step", 0}, {"epoch", 0}});
  csv.metrics(1, {{"loss_step", 0.1}, {"epoch", 0}});
  csv.metrics(1, {{"val", 1e-7}, {"epoch", 0}});
  csv.metrics(1, {{"big", 1e20}, {"neg", -0.0}, {"nan", std::nan("")}, {"inf", -INFINITY}});
  csv.finalize();
  CHECK(dir.read("metrics.csv") ==
        "big,epoch,inf,loss_step,nan,neg,step,val\n"
        ",0,,0.0,,,0,\n"
        ",0,,0.1,,,1,\n"
        ",0,,,,,1,1e-07\n"
        "1e+20,,-inf,,nan,-0.0,1,\n");
}

TEST_CASE("the epoch is a count where it can be one, else a number as any other") {
  const TempFolder dir;
  FakeHost host;
  Component csv(host, "csv");
  csv.begin(dir.path().string());
  for (const double epoch : {3.0, -2.0, 9007199254740991.0, 9007199254740992.0, 1e20, -0.0, 0.5, HUGE_VAL})
    csv.metrics(0, {{"epoch", epoch}});
  csv.finalize();
  CHECK(dir.read("metrics.csv") ==
        "epoch,step\n3,0\n-2,0\n9007199254740991,0\n9007199254740992.0,0\n1e+20,0\n-0.0,0\n0.5,0\ninf,0\n");
}

TEST_CASE("a new column rewrites the file, a known one appends") {
  const TempFolder dir;
  FakeHost host;
  Component csv(host, "csv");
  csv.begin(dir.path().string());
  csv.metrics(0, {{"b", 1}});
  csv.flush();
  CHECK(dir.read("metrics.csv") == "b,step\n1.0,0\n");
  csv.metrics(1, {{"b", 2}});
  csv.flush();
  CHECK(dir.read("metrics.csv") == "b,step\n1.0,0\n2.0,1\n");
  csv.metrics(2, {{"a", 3}});
  csv.flush();
  CHECK(dir.read("metrics.csv") == "a,b,step\n,1.0,0\n,2.0,1\n3.0,,2\n");
}

TEST_CASE("rows wait for a flush, or for the step that asks for one") {
  const TempFolder dir;
  FakeHost host;
  Component csv(host, "csv", {{"flush_logs_every_n_steps", 2}});
  csv.begin(dir.path().string());
  csv.metrics(0, {{"a", 1}});
  CHECK_FALSE(std::filesystem::exists(dir.path() / "metrics.csv"));
  csv.metrics(1, {{"a", 2}});
  csv.metrics(2, {{"a", 3}});
  CHECK(dir.read("metrics.csv") == "a,step\n1.0,0\n2.0,1\n");
  csv.finalize("failed");
  CHECK(dir.read("metrics.csv") == "a,step\n1.0,0\n2.0,1\n3.0,2\n");
}

TEST_CASE("a step is due for writing where n divides the rows, and never with n = 0") {
  CHECK(levin::csv::flush_due(1, 2));
  CHECK_FALSE(levin::csv::flush_due(2, 2));
  CHECK_FALSE(levin::csv::flush_due(2, 0));
}

TEST_CASE("a prefix stands before the names but for step") {
  const TempFolder dir;
  FakeHost host;
  Component csv(host, "csv", {{"prefix", "p"}});
  csv.begin(dir.path().string());
  csv.metrics(-1, {{"a", 1}});
  csv.metrics(-1, {{"a", 2}});
  csv.finalize();
  CHECK(dir.read("metrics.csv") == "p-a,step\n1.0,0\n2.0,1\n");
}

TEST_CASE("a resumed run drops the rows after the checkpoint, a fresh one keeps the file under another name") {
  const TempFolder dir;
  FakeHost host;
  {
    Component csv(host, "csv");
    csv.begin(dir.path().string());
    for (int step = 0; step < 5; ++step) csv.metrics(step, {{"a", step}});
    csv.finalize();
  }
  {
    std::ofstream(dir.path() / "metrics.csv", std::ios::app) << "9.0,";  // truncated by a crash
    Component csv(host, "csv");
    csv.begin(dir.path().string(), "{}", 2);
    csv.metrics(3, {{"a", 30}});
    csv.finalize();
    CHECK(dir.read("metrics.csv") == "a,step\n0.0,0\n1.0,1\n2.0,2\n30.0,3\n");
  }
  Component csv(host, "csv");
  csv.begin(dir.path().string());
  csv.metrics(0, {{"z", 1}});
  csv.finalize();
  CHECK(dir.read("metrics.csv") == "step,z\n0,1.0\n");
  CHECK(dir.read("metrics-1.csv") == "a,step\n0.0,0\n1.0,1\n2.0,2\n30.0,3\n");
  CHECK_THAT(host.messages.back().second, ContainsSubstring("metrics-1.csv"));
  Component third(host, "csv");
  third.begin(dir.path().string());
  CHECK(dir.read("metrics-2.csv") == "step,z\n0,1.0\n");
}

TEST_CASE("names with commas and quotes survive") {
  levin::csv::Table table;
  table.columns = {"a,b", "say \"x\"", "step"};
  table.rows = {{{"a,b", "1.0"}, {"step", "0"}}};
  CHECK(table.text() == "\"a,b\",\"say \"\"x\"\"\",step\n1.0,,0\n");
  const levin::csv::Table back = levin::csv::parse(table.text());
  CHECK(back.columns == table.columns);
  CHECK(back.rows == table.rows);
}

TEST_CASE("hparams.yaml says what the options were") {
  const TempFolder dir;
  FakeHost host;
  Component csv(host, "csv");
  csv.begin(dir.path().string(), R"({"lr": 0.0, "hidden": 8})");
  CHECK(dir.read("hparams.yaml") == "lr: 0.0\nhidden: 8\n");
  CHECK(levin::loggers::yaml_of_json("") == "{}\n");
  CHECK(levin::loggers::yaml_of_json(
            R"({"model": {"name": "resnet", "depth": 18, "sizes": [1, 2], "none": null, "deep": {}},
                                    "on": true, "word": "yes", "lr": 1e-7, "text": "a: b", "list": [{"a": 1, "b": 2}]})") ==
        "model:\n  name: resnet\n  depth: 18\n  sizes:\n  - 1\n  - 2\n  none: null\n  deep: {}\n"
        "\"on\": true\nword: \"yes\"\nlr: 1.0e-07\ntext: \"a: b\"\nlist:\n- a: 1\n  b: 2\n");
}

TEST_CASE("a folder that cannot be written is an error that names the file") {
  const TempFolder dir;
  std::filesystem::create_directories(dir.path() / "hparams.yaml.new");
  FakeHost host;
  Component csv(host, "csv");
  CHECK_THROWS_WITH(csv.begin(dir.path().string()), ContainsSubstring("hparams.yaml"));
}

TEST_CASE("late hyper-parameters go into hparams.yaml") {
  const TempFolder dir;
  FakeHost host;
  Component csv(host, "csv");
  csv.begin(dir.path().string(), R"({"model": {"options": {"lr": 0.1}}})");
  csv.hparams(R"({"model.width": 64})");
  CHECK(dir.read("hparams.yaml") == "model:\n  options:\n    lr: 0.1\n    width: 64\n");
}

namespace {

// Returns the state of a checkpoint saved after the given number of rows, two rows per step.
levin::testing::State after_rows(FakeHost& host, const std::string& folder, int rows, int more) {
  Component csv(host, "csv");
  csv.begin(folder);
  for (int row = 0; row < rows; ++row) csv.metrics(row / 2, {{"a", row}});
  csv.flush();
  const auto state = csv.save();
  for (int row = rows; row < rows + more; ++row) csv.metrics(row / 2, {{"a", row}, {"later", 1}});
  csv.flush();
  return state;
}

}  // namespace

TEST_CASE("a resumed run keeps the rows of before the checkpoint and no other, whatever their steps") {
  for (const int rows : {0, 1, 2, 3, 5}) {
    const TempFolder dir, whole;
    FakeHost host;
    const auto state = after_rows(host, dir.path().string(), rows, 4);
    Component csv(host, "csv");
    csv.load(state);
    CHECK(csv.save().bytes == state.bytes);
    csv.begin(dir.path().string(), "{}", std::max((rows - 1) / 2, 0));
    for (int row = rows; row < 7; ++row) csv.metrics(row / 2, {{"a", row}});
    csv.finalize();
    after_rows(host, whole.path().string(), 7, 0);
    CHECK(dir.read("metrics.csv") == whole.read("metrics.csv"));
    CHECK(warnings_of(host).empty());
  }
}

TEST_CASE("a metrics.csv that does not hold what was logged is kept beside the new one, and said") {
  struct Case {
    std::string text, says;
  };
  for (const Case& c :
       {Case{"a,step\n0.0,0\n", "has 1 of the 3 rows"}, Case{"no table at all\n1\n2\n3\n", "0 of the 3"},
        Case{std::string("\0\xff\0", 3), "0 of the 3"}}) {
    const TempFolder dir;
    FakeHost host;
    const auto state = after_rows(host, dir.path().string(), 3, 0);
    std::ofstream(dir.path() / "metrics.csv", std::ios::binary | std::ios::trunc) << c.text;
    Component csv(host, "csv");
    csv.load(state);
    csv.begin(dir.path().string(), "{}", 1);
    csv.metrics(2, {{"a", 9}});
    csv.finalize();
    CHECK(dir.read("metrics-1.csv") == c.text);
    CHECK_THAT(dir.read("metrics.csv"), ContainsSubstring("9.0,2\n"));
    REQUIRE(warnings_of(host).size() == 1);
    CHECK_THAT(warnings_of(host)[0], ContainsSubstring(c.says) && ContainsSubstring("metrics-1.csv"));
  }
}

TEST_CASE("a metrics.csv that is no file ends a resume, and names it") {
  const TempFolder dir;
  FakeHost host;
  const auto state = after_rows(host, dir.path().string(), 3, 0);
  std::filesystem::remove(dir.path() / "metrics.csv");
  std::filesystem::create_directory(dir.path() / "metrics.csv");
  Component csv(host, "csv");
  csv.load(state);
  CHECK_THROWS_WITH(csv.begin(dir.path().string(), "{}", 1),
                    ContainsSubstring("metrics.csv") && ContainsSubstring("no regular file"));
}

}  // namespace csv_test
