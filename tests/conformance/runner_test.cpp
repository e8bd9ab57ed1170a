#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "host_process/host_process.hpp"
#include "temp_folder.hpp"

namespace {

struct Answer : Outcome {
  nlohmann::json list;
  std::string last_line() const { return levin::core::split(levin::core::trim(out), '\n').back(); }
};

Answer run(const std::string& words) {
  const TempFolder folder;
  const std::string list = folder.file("list.json");
  const std::string command = "cd " LEVIN_TEST_CASES " && exec " LEVIN_TEST_RUNNER " " + words + " --json " + list;
  Answer answer{run_program({shell_command(command + " 2>&1"), folder.path()}), {}};
  if (std::filesystem::exists(list)) answer.list = levin::core::parse_json(bytes_of(list), "list.json");
  return answer;
}

}  // namespace

TEST_CASE("the runner passes cases that were worked out by hand") {
  const Answer answer = run("own_cases.json --verbose");
  CHECK(answer.code == 0);
  CHECK(answer.last_line() == "39 passed, 0 failed, 11 deviates, 3 not applicable");
  CHECK(answer.out.find("the example of a deviation") != std::string::npos);
}

TEST_CASE("the runner says what differs, and fails") {
  const Answer answer = run("failing_cases.json");
  CHECK(answer.code == 1);
  REQUIRE(answer.list.size() == 2);
  CHECK(answer.list[0]["reason"] == "num_batches: expected 2, seen 1");
  CHECK(answer.list[1]["reason"] == "no such suite");
  CHECK(answer.list[1]["verdict"] == "fail");
}

TEST_CASE("the runner runs one suite alone") {
  const Answer answer = run("own_cases.json --suite early_stopping_unit");
  CHECK(answer.code == 0);
  CHECK(answer.list.size() == 2);
}

TEST_CASE("the runner refuses a file that it cannot read or that has another schema") {
  CHECK(run("malformed.json").code == 2);
  CHECK(run("no_such_file.json").code == 2);
  CHECK(run("own_cases.json --nonsense").code == 2);
}
