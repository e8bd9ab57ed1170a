#include "levin/util/set_aside.hpp"

#include "catch.hpp"
#include "temp_folder.hpp"

namespace fs = std::filesystem;

TEST_CASE("a file that is in the way gets a free name") {
  const TempFolder folder;
  const fs::path file = folder / "a.json";
  CHECK(levin::set_aside(file).empty());
  for (const char* text : {"first", "second"}) {
    std::ofstream(file) << text;
    const std::string aside = levin::set_aside(file);
    CHECK(aside == (std::string(text) == "first" ? "a-1.json" : "a-2.json"));
    CHECK(folder.read(aside) == text);
    CHECK_FALSE(fs::exists(file));
  }
  std::ofstream(file).flush();
  CHECK(levin::set_aside(file).empty());  // an empty file is not kept
}
