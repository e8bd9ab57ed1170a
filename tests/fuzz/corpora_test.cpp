// Runs every file of the corpora, including files that once made a target fail.
#include <fstream>
#include <iterator>

#include "catch.hpp"
#include "tests/fuzz/target.hpp"

TEST_CASE("each target of the fuzzers takes each file of its corpus, and each beginning of it") {
  for (const auto& target : levin::fuzz::targets()) {
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(LEVIN_CORPUS) / target.name)) {
      INFO(entry.path());
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(in), {});
      for (size_t n : {bytes.size(), bytes.size() / 2, bytes.size() / 3, size_t{0}})
        CHECK_NOTHROW(target.call(reinterpret_cast<const uint8_t*>(bytes.data()), n));
      ++files;
    }
    INFO(target.name);
    CHECK(files > 0);
  }
}
