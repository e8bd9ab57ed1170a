// host check on plugins of which each component breaks one rule, and on sound ones.
#include <map>
#include <set>

#include "catch.hpp"
#include "core/base/text.hpp"
#include "sandbox.hpp"

namespace {

using Failures = std::map<std::string, std::set<int>>;

// "data counts" -> the numbers of the rules that failed; a component that holds them all is there, with none.
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
  INFO(outcome.out << outcome.err);
  CHECK(outcome.code == 3);
  Failures found = failures(outcome.out);
  CHECK(found["none"].empty());
  CHECK(found["counts"].count(12) == 1);
  CHECK(found["order"] == std::set<int>{13, 14});
  CHECK(found["batch"] == std::set<int>{14});
  CHECK(found["overflow"].count(12) == 1);
  CHECK(found["unwritten"].count(12) == 1);
  CHECK(found["label"] == std::set<int>{16});
  CHECK(found["fields"].count(11) == 1);
  CHECK(found["state"] == std::set<int>{4});
  CHECK_THAT(outcome.out, ContainsSubstring("field 'x' was written past its buffer") &&
                              ContainsSubstring("two fields are called 'x'") &&
                              ContainsSubstring("there are 3 classes"));
}

TEST_CASE("host check finds the rule that a model breaks") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("check " LEVIN_TEST_PLUGINS "/libtest_faulty_models.so");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.code == 3);
  Failures found = failures(outcome.out);
  CHECK(found["none"].empty());
  CHECK(found["visit"].count(20) == 1);
  CHECK(found["constant"] == std::set<int>{22});
  CHECK(found["wide"] == std::set<int>{22});
  CHECK(found["keeps"] == std::set<int>{26});
}

TEST_CASE("host check finds the rule that an optimizer breaks") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("check " LEVIN_TEST_PLUGINS "/libtest_faulty_optimizers.so");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.code == 3);
  Failures found = failures(outcome.out);
  CHECK(found["none"].empty());
  CHECK(found["deaf"] == std::set<int>{31});
  CHECK(found["still"] == std::set<int>{32});
  CHECK(found["moves_all"] == std::set<int>{32});
  CHECK(found["forgets"] == std::set<int>{33});
}

TEST_CASE("host check accepts sound plugins of every kind") {
  const Sandbox sandbox;
  for (const char* file : {"/libtest_rows.so", "/libtest_models.so", "/libtest_own_parts.so"}) {
    const Outcome outcome = sandbox.host(std::string("check " LEVIN_TEST_PLUGINS) + file);
    INFO(outcome.out << outcome.err);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, ContainsSubstring(", 0 fail, ") && !ContainsSubstring("takes none of the data"));
  }
}

TEST_CASE("host check names what cannot even be made") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("check " LEVIN_TEST_PLUGINS "/libtest_portable.so");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.code == 3);
  Failures found = failures(outcome.out);
  CHECK(found["recorder"].empty());
  CHECK(found["recording_logger"].empty());
  CHECK(found["null_callback"] == std::set<int>{2});
  CHECK(found["raw_thrower"] == std::set<int>{2});
}
