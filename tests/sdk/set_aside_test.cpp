#include "levin/set_aside.hpp"

#include <cstdlib>
#include <fstream>

#include "catch.hpp"

namespace fs = std::filesystem;

TEST_CASE("a file that is in the way gets a free name") {
  char name[] = "/tmp/levin_set_aside_test_XXXXXX";
  const fs::path folder = mkdtemp(name), file = folder / "a.json";
  CHECK(levin::set_aside(file).empty());
  for (const char* text : {"first", "second"}) {
    std::ofstream(file) << text;
    const std::string aside = levin::set_aside(file);
    CHECK(aside == (std::string(text) == "first" ? "a-1.json" : "a-2.json"));
    std::string kept;
    std::ifstream(folder / aside) >> kept;
    CHECK(kept == text);
    CHECK_FALSE(fs::exists(file));
  }
  std::ofstream(file).flush();
  CHECK(levin::set_aside(file).empty());  // an empty file is not kept
  fs::remove_all(folder);
}
