#include "runs/submission.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "temp_folder.hpp"

using namespace levin::core;

TEST_CASE("a record is read as it was written, and a broken one is refused with its file") {
  const TempFolder temp;
  const std::filesystem::path& folder = temp.path();
  CHECK_FALSE(load_submission(folder));
  Submission made;
  made.command = {"fit", "--a", "b c\n\"d\""};
  made.where = "/tmp";
  made.options = {"model.lr"};
  made.runs = {{"version_0", {"0.1"}}, {"version_1", {"0.01"}}};
  made.created = 1700000000;
  save_submission(folder, made);
  const auto before = load_submission(folder);
  REQUIRE(before);
  CHECK(before->job_of(1).empty());
  made.job = "17";
  save_submission(folder, made);
  const auto read = load_submission(folder);
  CHECK(read->command == made.command);
  CHECK(read->runs[1].values == made.runs[1].values);
  CHECK(read->created == made.created);
  CHECK(read->job_of(1) == "17_1");
  for (const char* broken : {"", "[]", "{", "{}", R"({"runs": 3})", R"({"runs": [{"folder": 1}]})"}) {
    INFO(broken);
    write_file_durable(folder / submission_file, broken);
    CHECK_THROWS_WITH(load_submission(folder), ContainsSubstring("submission.json"));
  }
}
