#include <cmath>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "levin/error.hpp"
#include "levin/testing.hpp"
#include "loggers/mlflow/batch.hpp"
#include "loggers/mlflow/known_values.hpp"
#include "loggers/mlflow/meta_yaml.hpp"
#include "loggers/mlflow/names.hpp"
#include "loggers/mlflow/spool.hpp"
#include "temp_folder.hpp"

namespace mlflow_test {
using levin::testing::Component;
using levin::testing::FakeHost;
using namespace levin::mlflow;
namespace fs = std::filesystem;

TEST_CASE("names are those that MLflow accepts, and stay different") {
  CHECK(accepted_name("train/loss 1.5_a-b") == "train/loss 1.5_a-b");
  CHECK(accepted_name("val_loss:0") == "val_loss_0");
  CHECK(accepted_name("größe") == "gr__e");
  CHECK(accepted_name("/a//b/") == "_/a/_/b/_");
  CHECK(accepted_name("../a/./b") == "__/a/_/b");
  CHECK(accepted_name("") == "_");
  CHECK(accepted_file_name("epoch=1,a#b?%.ckpt") == "epoch=1,a_b__.ckpt");
  CHECK(accepted_name(std::string(300, 'x')).size() == 250);
  Names names("metric");
  std::vector<std::string> said;
  const Say say = [&](const std::string& text) { said.push_back(text); };
  CHECK(names.accepted("a b", say) == "a b");
  CHECK(names.accepted("a:b", say) == "a_b");
  CHECK(names.accepted("a@b", say) == "a_b_2");
  CHECK(names.accepted("a:b", say) == "a_b");
  CHECK(said == std::vector<std::string>{"the metric 'a:b' is named 'a_b' in MLflow",
                                         "the metric 'a@b' is named 'a_b_2' in MLflow"});
}

TEST_CASE("texts are cut between characters") {
  CHECK(cut_text("aä", 2) == "a");
  CHECK(cut_text("aä", 3) == "aä");
}

TEST_CASE("a request holds no more than MLflow takes") {
  std::string lines;
  for (int step = 0; step < 3000; ++step) lines += metrics_line(step, 1, {{"a", step}, {"b", std::nan("")}}) + "\n";
  const Batch first = first_batch(lines, 5000, "r");
  CHECK(first.kind == Batch::log);
  CHECK(first.lines == 450);
  const nlohmann::json body = nlohmann::json::parse(first.body);
  CHECK(body["metrics"].size() == 900);
  CHECK(body["metrics"][1]["value"] == "NaN");
  CHECK(first_batch(lines, 7, "r").lines == 7);
  std::string params;
  for (int n = 0; n < 200; ++n) params += param_line("p" + std::to_string(n), "v") + "\n";
  CHECK(first_batch(params, 5000, "r").lines == 90);
}

TEST_CASE("files and states are requests of their own, and damaged lines are left out") {
  const std::string metrics = metrics_line(1, 2, {{"a", 1}}) + "\n", file = file_line("9/f", "dir/f") + "\n",
                    status = status_line("FINISHED", 5) + "\n";
  CHECK(first_batch(metrics + file, 10, "r").bytes == metrics.size());
  const Batch upload = first_batch(file + file, 10, "r");
  CHECK((upload.kind == Batch::file && upload.path == "9/f" && upload.name == "dir/f" && upload.lines == 1));
  const Batch end = first_batch("{\"status\":3}\n[1\n" + status, 10, "r");
  CHECK((end.kind == Batch::status && end.lines == 3));
  CHECK(nlohmann::json::parse(end.body) == nlohmann::json{{"run_id", "r"}, {"status", "FINISHED"}, {"end_time", 5}});
  const Batch damaged = first_batch("{\"metrics\":", 10, "r");
  CHECK((damaged.kind == Batch::none && damaged.bytes == 11));
}

TEST_CASE("a resumed run sends what the server does not have") {
  KnownValues known;
  known.add(metrics_line(1, 7, {{"a", 1}, {"b", 2}}) + "\n" + metrics_line(2, 8, {{"a", INFINITY}}) + "\n");
  CHECK(known.without_known(1, {{"a", 1}, {"b", 3}}) == Values{{"b", 3}});
  CHECK(known.without_known(1, {{"a", 1}}) == Values{{"a", 1}});
  CHECK(known.without_known(2, {{"a", INFINITY}}).empty());
}

TEST_CASE("a spool goes on behind its last whole line") {
  const TempFolder dir;
  {
    Spool spool(dir.path());
    spool.add("one");
    CHECK(spool.read(0, 100).empty());  // not flushed
    spool.flush();
    spool.set_sent(4);
  }
  std::ofstream(dir.file("spool.jsonl"), std::ios::app) << "two\nthr";
  Spool spool(dir.path());
  CHECK(spool.size() == 8);
  CHECK(spool.sent() == 4);
  CHECK(spool.read(spool.sent(), 100) == "two\n");
  CHECK(spool.read(0, 5) == "one\n");
  CHECK(spool.read(0, 2) == "on");
  spool.cut(4);
  CHECK(spool.read(4, 100).empty());
}

TEST_CASE("a mark of a spool that was damaged is within the spool") {
  const TempFolder dir;
  std::ofstream(dir.file("spool.jsonl")) << "one\n";
  std::ofstream(dir.file("sent")) << "99999999999999999999999";
  CHECK(Spool(dir.path()).sent() == 4);
}

TEST_CASE("members of meta.yaml are read in each form") {
  const std::string yaml = "name: 'it''s'\nid: \"a\\u0041\"\nplain: x y\nname2: z\n";
  CHECK(member(yaml, "name") == "it's");
  CHECK(member(yaml, "id") == "aA");
  CHECK(member(yaml, "plain") == "x y");
  CHECK(member(yaml, "gone").empty());
  CHECK(file_uri("/a b/ü") == "file:///a%20b/%C3%BC");
}

namespace {

fs::path only_run(const fs::path& mlruns) {
  fs::path found;
  for (const auto& entry : fs::recursive_directory_iterator(mlruns))
    if (entry.path().filename() == "params") found = entry.path().parent_path();
  return found;
}

}  // namespace

TEST_CASE("a file store loses the values after the checkpoint of a resume") {
  const TempFolder dir;
  FakeHost host;
  host.texts["default_root_dir"] = dir.path().string();
  levin::testing::State state;
  {
    Component mlflow(host, "mlflow");
    mlflow.begin(dir.file("run"));
    for (int step = 0; step < 4; ++step) mlflow.metrics(step, {{"a", step}});
    state = mlflow.save();
    mlflow.metrics(4, {{"a", 4}, {"new", 1}});
    mlflow.finalize("interrupted");
  }
  CHECK_THAT(bytes_of(only_run(dir / "mlruns") / "meta.yaml"), ContainsSubstring("status: 5"));
  Component mlflow(host, "mlflow");
  mlflow.load(state);
  mlflow.begin(dir.file("run"), "{}", 3);
  mlflow.metrics(4, {{"a", 40}});
  mlflow.finalize();
  const fs::path run = only_run(dir / "mlruns");
  const std::string a = bytes_of(run / "metrics" / "a");
  CHECK(std::count(a.begin(), a.end(), '\n') == 5);
  CHECK_THAT(a, ContainsSubstring(" 3.0 3\n"));
  CHECK_THAT(a, ContainsSubstring(" 40.0 4\n"));
  CHECK_FALSE(fs::exists(run / "metrics" / "new"));
  CHECK_THAT(bytes_of(run / "meta.yaml"), ContainsSubstring("status: 3"));
}

TEST_CASE("a run that logs nothing leaves nothing") {
  const TempFolder dir;
  FakeHost host;
  host.texts["default_root_dir"] = dir.path().string();
  Component mlflow(host, "mlflow");
  mlflow.begin(dir.file("run"));
  mlflow.flush();
  mlflow.finalize("failed");
  CHECK(fs::is_empty(dir.path()));
}

TEST_CASE("addresses with a password or of another kind are refused, and the password is not repeated") {
  FakeHost host;
  for (const char* uri :
       {"http://ann:secret@host:5000", "https://ann@host", "postgresql://ann:secret@host/db", "databricks://x"}) {
    std::string said;
    try {
      Component(host, "mlflow", {{"tracking_uri", uri}});
    } catch (const levin::Error& e) {
      said = e.what();
    }
    CHECK_FALSE(said.empty());
    CHECK_THAT(said, !ContainsSubstring("secret"));
  }
}

}  // namespace mlflow_test
