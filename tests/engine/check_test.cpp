// host check on plugins each of whose components breaks one rule, and on correct ones.
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"

namespace check_test {
namespace {

using Failures = std::map<std::string, std::set<int>>;

// Maps e.g. "data counts" to the numbers of the rules that failed. A component that passes is included, with none.
Failures failures(const std::string& report) {
  Failures out;
  std::string component;
  for (const std::string& line : levin::core::split(report, '\n')) {
    const auto words = levin::core::split(levin::core::trim(line), ' ');
    const bool rule = line.compare(0, 2, "  ") == 0;
    if (!rule && words.size() == 2) out[component = words[1]];
    if (rule && words.size() > 1 && words[1] == "FAIL") out[component].insert(std::stoi(words[0]));
  }
  return out;
}

}  // namespace

TEST_CASE("host check finds the rule that a data module breaks") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("check " LEVIN_TEST_PLUGINS "/libtest_faulty_data.so");
  CHECK(outcome.code == 3);
  Failures found = failures(outcome.out);
  CHECK(found["none"].empty());
  CHECK(found["counts"].count(12) == 1);
  CHECK((found["order"].count(13) == 1 && found["order"].count(14) == 1));
  CHECK(found["batch"].count(14) == 1);
  CHECK(found["overflow"].count(12) == 1);
  CHECK(found["unwritten"].count(12) == 1);
  CHECK(found["label"].count(16) == 1);
  CHECK(found["fields"].count(11) == 1);
  CHECK(found["changes"].count(11) == 1);
  CHECK(found["state"].count(4) == 1);
  CHECK(found["late_nan"].count(16) == 1);
  CHECK(found["late_label"].count(16) == 1);
  CHECK((found["late_throw"].count(12) == 1 && found["late_throw"].count(16) == 1));
  CHECK_THAT(outcome.out,
             ContainsSubstring("(train: 640 of 640 rows; val: 30 of 30 rows") &&
                 ContainsSubstring("train: field 'x' of row 99 has a number that is NaN or infinite") &&
                 ContainsSubstring("row 99 is 7, and there are 3 classes") &&
                 ContainsSubstring("train: row 99: libtest_faulty_data.so: late_throw.fill: the hundredth"));
  CHECK_THAT(outcome.out, ContainsSubstring("field 'x' was written past its buffer: row 0, 4 bytes past its end") &&
                              ContainsSubstring("two fields are called 'x'") &&
                              ContainsSubstring("there are 3 classes"));
}

TEST_CASE("host check finds the rule that a model breaks") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("check " LEVIN_TEST_PLUGINS "/libtest_faulty_models.so");
  CHECK(outcome.code == 3);
  Failures found = failures(outcome.out);
  CHECK(found["none"].empty());
  CHECK(found["visit"].count(20) == 1);
  CHECK(found["constant"].count(22) == 1);
  CHECK(found["wide"].count(22) == 1);
  CHECK(found["keeps"].count(26) == 1);
  CHECK(found["tokens"].empty());
  CHECK(found["throws"].count(22) == 1);
  CHECK(found["not_finite"].count(22) == 1);
  CHECK(found["masked"].empty());
  CHECK_THAT(outcome.out,
             ContainsSubstring("it fails on each of the 13 kinds") &&
                 ContainsSubstring("throws.training_step: this step never works") &&
                 ContainsSubstring("'loss' that it returned is nan") &&
                 ContainsSubstring("training_step on rows of the data module 'masked_rows' of this plugin"));
  CHECK_THAT(outcome.out, ContainsSubstring("training_step on rows of 16 tokens, each with the next"));
}

TEST_CASE("host check finds the rule that an optimizer breaks") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("check " LEVIN_TEST_PLUGINS "/libtest_faulty_optimizers.so");
  CHECK(outcome.code == 3);
  Failures found = failures(outcome.out);
  CHECK(found["none"].empty());
  CHECK(found["deaf"].count(31) == 1);
  CHECK(found["still"].count(32) == 1);
  CHECK(found["moves_all"].count(32) == 1);
  CHECK(found["forgets"].count(33) == 1);
}

TEST_CASE("host check finds the rule that a component of tasks breaks") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("check " LEVIN_TEST_PLUGINS "/libtest_faulty_tasks.so");
  CHECK(outcome.code == 3);
  Failures found = failures(outcome.out);
  CHECK(found["none"].empty());
  CHECK(found["reads_anything"] == std::set<int>{41});
  CHECK(found["other_tasks"] == std::set<int>{42});
  CHECK(found["crashes"].count(43) == 1);
  CHECK(found["other_sum"] == std::set<int>{44});
  CHECK(found["deaf"].count(45) == 1);
  CHECK(found["picky"].empty());
  CHECK_THAT(outcome.out, ContainsSubstring("name a file of tasks with --file: ") &&
                              ContainsSubstring("the first line is not picky") && ContainsSubstring("crashes.handle"));
  std::ofstream(sandbox.folder() / "own.txt") << "picky\n";
  const Outcome own = sandbox.host("check " LEVIN_TEST_PLUGINS "/libtest_faulty_tasks.so --file own.txt");
  const std::string last = own.out.substr(own.out.find("tasks picky"));
  CHECK_THAT(last, ContainsSubstring("42 PASS") && ContainsSubstring("45 PASS"));
}

TEST_CASE("host check goes on after a component that crashes, hangs or ends the process, and names its call") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("check " LEVIN_TEST_PLUGINS "/libtest_faulty_parts.so --time_limit 2");
  CHECK(outcome.code == 3);
  Failures found = failures(outcome.out);
  CHECK(found["none"].empty());
  CHECK(found["crashes"].count(60) == 1);
  CHECK(found["hangs"].count(60) == 1);
  CHECK(found["exits"].count(60) == 1);
  CHECK(found["forgets"].count(62) == 1);
  CHECK(found["leaks"] == std::set<int>{9});
  CHECK(found["releases_twice"].count(60) == 1);
  CHECK(found["sound_logger"].empty());
  CHECK(found["crashing_logger"] == std::set<int>{51});
  CHECK(found["forgetting_logger"].count(53) == 1);
  CHECK(found["sound_stream"].empty());
  CHECK(found["one_epoch"].count(19) == 1);
  CHECK(found["tally"].empty());
  CHECK(found["forgetful_tally"] == std::set<int>{66});
  CHECK(found["tally_of_epochs"] == std::set<int>{66});
  CHECK(found["silent"].count(66) == 1);
  CHECK(found["appender"] == std::set<int>{55});
  CHECK_THAT(outcome.out,
             ContainsSubstring("while plugin libtest_faulty_parts.so ran crashes.on_train_epoch_end") &&
                 ContainsSubstring("nothing happened for 2 s in libtest_faulty_parts.so: hangs.on_validation_end") &&
                 ContainsSubstring("exit() was called while plugin libtest_faulty_parts.so ran exits.on_train_start") &&
                 ContainsSubstring("crashing_logger.media") &&
                 ContainsSubstring("'count' differs after a round trip") &&
                 ContainsSubstring("libtest_faulty_parts.so never released") &&
                 ContainsSubstring("libtest_faulty_parts.so: releases_twice.on_train_batch_end: releases a tensor") &&
                 ContainsSubstring("epoch 1: next gave no batch") &&
                 ContainsSubstring("from epoch1_batch1.ckpt: there is 'tally of step 5: 1.0' instead of 'tally") &&
                 ContainsSubstring("from epoch1_batch1.ckpt: there is 'tally of step 5: 4.0' instead of 'tally") &&
                 ContainsSubstring("there is 'count of its state: 1' instead of 'count of its state: 6'") &&
                 ContainsSubstring("rows.txt has 8 lines after a killed run has resumed from step 1, and 6"));
}

TEST_CASE("host check takes the options of the components, as a run does") {
  const Sandbox sandbox;
  const std::string check = "check " LEVIN_TEST_PLUGINS "/libtest_faulty_data.so ";
  for (const char* words : {"--data.width 5", "--data.none.width 5", "--width=5"}) {
    const Outcome outcome = sandbox.host(check + words);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.error(), ContainsSubstring("is not an int from 1 to 4") || ContainsSubstring("width"));
  }
  const Outcome unknown = sandbox.host(check + "--data.widht 3");
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.error(), ContainsSubstring("no component of this plugin has the option --data.widht") &&
                                  ContainsSubstring("did you mean --data.width?"));
}

TEST_CASE("host check --json says the same as one document") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("check " LEVIN_TEST_PLUGINS "/libtest_faulty_optimizers.so --json");
  CHECK(outcome.code == 3);
  const auto document = nlohmann::json::parse(outcome.out);
  CHECK(document["plugin"] == "levin.test.faulty_optimizers");
  CHECK(document["fail"].get<int>() > 0);
  bool found = false;
  for (const auto& component : document["components"])
    for (const auto& rule : component["rules"])
      found = found || (component["id"] == "forgets" && rule["rule"] == 33 && rule["result"] == "FAIL");
  CHECK(found);
}

TEST_CASE("host check accepts sound plugins of every kind") {
  const Sandbox sandbox;
  for (const char* file : {"/libtest_rows.so", "/libtest_models.so", "/libtest_own_parts.so"}) {
    const Outcome outcome = sandbox.host(std::string("check " LEVIN_TEST_PLUGINS) + file);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, ContainsSubstring(", 0 fail, ") && !ContainsSubstring("takes none of the generated data"));
  }
}

TEST_CASE("host check names what cannot even be made") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("check " LEVIN_TEST_PLUGINS "/libtest_portable.so");
  CHECK(outcome.code == 3);
  Failures found = failures(outcome.out);
  CHECK(found["recorder"].empty());
  CHECK(found["recording_logger"].empty());
  CHECK(found["null_callback"] == std::set<int>{2});
  CHECK(found["raw_thrower"] == std::set<int>{2});
}

}  // namespace check_test
