#include "report/report.hpp"

#include <fstream>

#include "catch.hpp"
#include "report/curves.hpp"
#include "runs/metric_name.hpp"
#include "runs/run_options.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
using namespace levin::core::report;

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

ReportedRun reported(const std::filesystem::path& folder) {
  return read_reported_run(read_run(folder, folder.filename().string()));
}

const std::string config = R"({"model": {"component": "mlp", "name": "mlp", "options": {"lr": 0.1, "note": "<b>"}},
  "data": {"component": "mnist", "name": "mnist", "options": {}}, "loader": {"batch_size": 64}, "trainer": {"max_epochs": 3},
  "callbacks": [{"component": "timer", "name": "t", "options": {"duration": null}}], "loggers": [],
  "origins": {"model.lr": "--lr"}})";

}  // namespace

TEST_CASE("every option of a run is listed with its origin") {
  const auto settings = options_of(nlohmann::json::parse(config));
  CHECK(value_of(settings, "model") == "mlp");
  CHECK(value_of(settings, "model.lr") == "0.1");
  CHECK(settings[1].origin == "--lr");
  CHECK(value_of(settings, "data.batch_size") == "64");
  CHECK(value_of(settings, "trainer.max_epochs") == "3");
  CHECK(value_of(settings, "callback.t") == "timer");
  CHECK(value_of(settings, "callback.t.duration") == "null");
  for (const char* damaged : {"[]", "{}", "{\"model\": 3}", "{\"callbacks\": [1, {}]}", "{\"origins\": []}", "null"})
    CHECK_NOTHROW(options_of(nlohmann::json::parse(damaged)));
}

TEST_CASE("options that differ are found, also those of one run alone") {
  const std::vector<std::vector<RunOption>> runs = {{{"lr", "1", ""}, {"same", "x", ""}},
                                                    {{"lr", "2", ""}, {"same", "x", ""}, {"own", "3", ""}}};
  CHECK(different_options(runs) == std::vector<std::string>{"lr", "own"});
  CHECK(different_options({runs[0], runs[0]}).empty());
}

TEST_CASE("a metric's name has a stage and a kind") {
  const auto parts = [](const std::string& name) {
    const MetricName parsed = parsed_name(name);
    return parsed.stage + "|" + parsed.base + "|" + parsed.kind;
  };
  CHECK(parts("train_loss_step") == "train|loss|step");
  CHECK(parts("val/acc") == "val|acc|");
  CHECK(parts("lr") == "|lr|");
  CHECK(parts("train_") == "|train_|");
  CHECK(parts("_step") == "|_step|");
  CHECK(parts("train_val_gap_epoch") == "train|val_gap|epoch");
}

TEST_CASE("training and validation share a picture, and metrics of one step have none") {
  const std::map<std::string, MetricHistory> metrics = {{"train_loss", {"train_loss", {1, 2}, {0, 0}, {3, 2}}},
                                                        {"val_loss", {"val_loss", {1, 2}, {0, 0}, {4, 3}}},
                                                        {"lr", {"lr", {1, 2}, {0, 0}, {0.1, 0.1}}},
                                                        {"test_loss", {"test_loss", {2}, {1}, {5}}}};
  const auto alone = curves_of({{"a", &metrics}});
  REQUIRE(alone.size() == 2);
  CHECK(alone[0].name == "loss");
  CHECK_THAT(alone[0].svg, ContainsSubstring(">train<") && ContainsSubstring(">val<") && !ContainsSubstring("dash"));
  const auto together = curves_of({{"a", &metrics}, {"b", &metrics}});
  CHECK_THAT(together[0].svg,
             ContainsSubstring(">a train<") && ContainsSubstring(">b val<") && ContainsSubstring("dash"));
}

TEST_CASE("a report shows the options, results and end of a run, and no markup of theirs") {
  const TempFolder temp;
  const auto folder = temp.path() / "version_0";
  write(folder / "config.json", config);
  write(folder / "metrics.csv", "epoch,step,train_loss,val_loss\n0,4,2.5,\n0,9,2,\n0,9,,1.75\n1,1");
  write(folder / "log.txt", "2026-01-02T03:04:05.678 info begins\n2026-01-02T03:14:05.000 error <i>no disk</i>\n");
  write(
      folder / "code.json",
      R"({"repositories": [{"repository": "/home/me/moons", "commit": "0123456789abcdef", "changed": ["a.cpp", "<u>"]}]})");
  const Document document = make_report({reported(folder)});
  const std::string html = to_html(document);
  for (const char* part :
       {"<title>Run version_0</title>", "<td>failed</td>", "&lt;i&gt;no disk&lt;/i&gt;", "2026-01-02 03:04:05",
        "model.lr", "--lr", "&lt;b&gt;", "<td>1.75</td>", "<svg ", "<td>0123456789ab</td>", "a.cpp, &lt;u&gt;"})
    CHECK_THAT(html, ContainsSubstring(part));
  CHECK_THAT(html, !ContainsSubstring("<i>") && !ContainsSubstring("<script") && !ContainsSubstring("http://l"));
  const MarkdownFiles markdown = to_markdown(document, "report_figures");
  REQUIRE(markdown.pictures.size() == 1);
  CHECK(markdown.pictures[0].first == "loss.svg");
  CHECK_THAT(markdown.text,
             ContainsSubstring("![loss](report_figures/loss.svg)") && ContainsSubstring("| val\\_loss | 1.75 |"));
}

TEST_CASE("runs are compared by their differences") {
  const TempFolder temp;
  std::vector<ReportedRun> runs;
  for (const char* lr : {"0.1", "0.2"}) {
    const auto folder = temp.path() / (std::string("lr_") + lr);
    std::string own = config;
    own.replace(own.find("0.1"), 3, lr);
    write(folder / "config.json", own);
    runs.push_back(reported(folder));
  }
  const std::string text = to_markdown(make_report(runs), "f").text;
  CHECK_THAT(text,
             ContainsSubstring("| option | lr\\_0.1 | lr\\_0.2 |") && ContainsSubstring("| model.lr | 0.1 | 0.2 |"));
  CHECK_THAT(text.substr(text.find("Options that differ"), 200), !ContainsSubstring("max"));
  runs[1] = runs[0];
  CHECK_THAT(to_markdown(make_report(runs), "f").text, ContainsSubstring("All options are equal."));
}

TEST_CASE("damaged run folders are reported as far as they can be read") {
  const TempFolder temp;
  const std::pair<const char*, const char*> damages[] = {
      {"config.json", "{\"model\": "},
      {"config.json", "[1, 2]"},
      {"metrics.csv", "epoch,step\n\xff\xfe,,\n"},
      {"metrics.csv", ""},
      {"metrics.csv", "a\n1\n2\n"},
      {"metrics.jsonl", "{\"step\": 1, \"metrics\": 3}\nnot json\n{}\n"},
      {"log.txt", "\x1b[31m\xff\n"},
      {"code.json", "{\"repositories\": [1, {\"commit\": 2, \"changed\": [3]}]}"},
      {"code.json", "{\"repositories\": "},
      {"checkpoints/index.json", "{\"best\": 7}"},
      {"checkpoints/x.ckpt", "nonsense"}};
  int n = 0;
  for (const auto& [file, text] : damages) {
    const auto folder = temp.path() / std::to_string(n++);
    write(folder / "config.json", config);
    write(folder / file, text);
    std::string html;
    CHECK_NOTHROW(html = to_html(make_report({reported(folder)})));
    CHECK_THAT(html, ContainsSubstring("</html>") && !ContainsSubstring("\x1b"));
  }
  std::filesystem::create_directories(temp.path() / "folder" / "config.json");
  std::filesystem::create_directories(temp.path() / "folder" / "metrics.csv");
  CHECK_NOTHROW(to_html(make_report({reported(temp.path() / "folder")})));
}
