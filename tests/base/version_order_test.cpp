#include "core/base/version.hpp"

#include "catch.hpp"

using levin::core::compare_versions;

TEST_CASE("versions are compared part by part, as numbers") {
  const char* const ascending[] = {"0",   "0.9",   "0.10", "1.0.0-beta", "1.0.0-rc.2", "1.0.0-rc.10",
                                   "1.0", "1.0.1", "2",    "2.9",        "2.34",       "10"};
  for (size_t i = 0; i < std::size(ascending); ++i) {
    for (size_t j = 0; j < std::size(ascending); ++j) {
      INFO(ascending[i] << " and " << ascending[j]);
      const int order = compare_versions(ascending[i], ascending[j]);
      CHECK((order < 0) == (i < j));
      CHECK((order > 0) == (i > j));
    }
  }
}

TEST_CASE("missing parts, leading zeros and what follows a plus make no difference") {
  CHECK(compare_versions("1", "1.0.0") == 0);
  CHECK(compare_versions("1.02", "1.2") == 0);
  CHECK(compare_versions("1.2+debian1", "1.2+debian2") == 0);
  CHECK(compare_versions("99999999999999999999", "99999999999999999998") > 0);
}
