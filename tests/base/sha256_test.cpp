#include "core/base/file.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tests/checkpoint/sample.hpp"

using namespace levin::core;

TEST_CASE("the SHA-256 of a file is the standard's") {
  struct Row {
    std::string content;
    const char* digest;
  };
  const Row rows[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {std::string(1000000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  const TempFolder temp;
  for (const Row& row : rows) {
    spill(temp / "a", row.content);
    CHECK(sha256_file(temp / "a") == row.digest);
  }
}

TEST_CASE("a file that cannot be read has no SHA-256") {
  const TempFolder temp;
  CHECK_THROWS_WITH(sha256_file(temp / "none"), ContainsSubstring("No such file"));
  CHECK_THROWS_AS(sha256_file(temp.path()), Error);
}
