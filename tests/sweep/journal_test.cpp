#include "sweep/study/journal.hpp"

#include <fstream>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "errors/code_of.hpp"
#include "sweep/study/journal_lock.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
using namespace levin::core::sweep;

namespace {
const std::vector<Parameter> parameters = {read_parameter("lr", "log(1e-4,1e-1)", "lr"),
                                           read_parameter("size", "64,128", "size")};
}

TEST_CASE("a study is read as it was written") {
  TempFolder temp;
  const auto file = temp.path() / "study.journal";
  {
    Journal journal(file, "s", true);
    CHECK(journal.start(parameters, {0.01, 1}, {{"run", "trial_0"}}) == 0);
    CHECK(journal.start(parameters, {0.02, 0}, {{"run", "trial_1"}, {"epochs", 3}}) == 1);
    journal.reach(1, 3, 0.5);
    journal.end(0, TrialState::complete, 0.9, {{1, 0.8}, {2, 0.9}}, "");
  }
  const Study study = read_study(file);
  REQUIRE(study.trials.size() == 2);
  CHECK((study.name == "s" && study.maximizes));
  CHECK(study.trials[0].shown.at("size") == 128);
  CHECK(study.trials[0].at_epoch.at(2) == 0.9);
  CHECK(study.best() == &study.trials[0]);
  CHECK(study.trials[1].is_paused());
}

TEST_CASE("the unfinished line of a killed process is removed, and a damaged line is refused") {
  TempFolder temp;
  const auto file = temp.path() / "study.journal";
  { Journal(file, "s", false).start(parameters, {0.01, 1}, {{"run", "trial_0"}}); }
  const std::string whole = read_file(file);
  std::ofstream(file, std::ios::app) << R"({"op_code":6,"trial_id":0,"sta)";
  CHECK(read_study(file).trials.size() == 1);
  { Journal(file, "s", false).end(0, TrialState::failed, std::nullopt, {}, "why"); }
  CHECK(read_study(file).trials[0].error() == "why");
  std::ofstream(file) << "{]\n" + whole;
  CHECK_THROWS_WITH(Journal(file, "s", false), ContainsSubstring("no operation of a study"));
  CHECK(code_of([&] { Journal(file, "s", false); }) == "E0406");
}

TEST_CASE("operations of other programs are read, and a finished trial does not change") {
  TempFolder temp;
  const auto file = temp.path() / "study.journal";
  Journal journal(file, "s", false);
  journal.start(parameters, {0.01, 1}, {{"run", "trial_0"}});
  std::ofstream(file, std::ios::app)
      << R"({"op_code": 2, "worker_id": "x", "study_id": 0, "user_attr": {"note": "a"}})"
      << "\n"
      << R"({"op_code": 4, "worker_id": "x", "study_id": 0, "datetime_start": null, "state": 4})"
      << "\n";
  CHECK(journal.start(parameters, {0.02, 0}, {{"run", "trial_2"}}) == 2);
  journal.end(2, TrialState::complete, 1.5, {}, "");
  std::ofstream(file, std::ios::app)
      << R"({"op_code": 6, "worker_id": "x", "trial_id": 2, "state": 3, "values": null, "datetime_complete": "2026-01-01T00:00:00"})"
      << "\n";
  CHECK(read_study(file).trials[2].state == TrialState::complete);
}

TEST_CASE("a lock that a killed process has left is taken over") {
  TempFolder temp;
  const auto file = temp.path() / "study.journal";
  std::filesystem::create_symlink(file, file.string() + ".lock");
  { const JournalLock lock(file, std::chrono::milliseconds(50)); }
  CHECK_FALSE(std::filesystem::is_symlink(file.string() + ".lock"));
}

TEST_CASE("trials and attributes of other programs are not taken for trials of the sweep") {
  TempFolder temp;
  const auto file = temp.path() / "study.journal";
  Journal journal(file, "s", false);
  for (const nlohmann::json& attributes :
       {nlohmann::json{{"run", "../../other"}}, nlohmann::json{{"run", 7}, {"epochs", "many"}},
        nlohmann::json{{"run", "trial_3x"}}, nlohmann::json{{"run", "trial_9"}, {"parent", -5}, {"epochs", 1e300}}})
    journal.start(parameters, {0.01, 1}, attributes);
  const Study study = read_study(file);
  for (size_t i = 0; i < 3; ++i) CHECK_FALSE((study.trials[i].is_of_sweep() || study.trials[i].is_busy()));
  const Trial& trial = study.trials[3];
  CHECK((trial.run() == "trial_9" && trial.parent() == -1 && trial.epochs() == 0));
  std::ofstream(file, std::ios::app) << R"({"op_code": 6, "trial_id": 0, "state": 9, "values": null})"
                                     << "\n";
  CHECK_THROWS_WITH(read_study(file), ContainsSubstring("no operation of a study"));
}
