#include "levin/util/text.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "catch.hpp"

TEST_CASE("shortest numbers are those of Python's repr") {
  struct Case {
    double value;
    const char* text;
  };
  for (const Case& c : {Case{0, "0.0"},
                        {-0.0, "-0.0"},
                        {1, "1.0"},
                        {0.1, "0.1"},
                        {100, "100.0"},
                        {1e15, "1000000000000000.0"},
                        {1e16, "1e+16"},
                        {1e20, "1e+20"},
                        {0.0001, "0.0001"},
                        {0.00001, "1e-05"},
                        {1e-7, "1e-07"},
                        {1.5e300, "1.5e+300"},
                        {1e-320, "1e-320"},
                        {0.1f, "0.10000000149011612"},
                        {std::nan(""), "nan"},
                        {INFINITY, "inf"},
                        {-INFINITY, "-inf"}})
    CHECK(levin::shortest(c.value) == c.text);
}

TEST_CASE("shortest numbers read back as they were") {
  uint64_t bits = 88172645463325252u;
  for (int i = 0; i < 2000; ++i) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) CHECK(std::strtod(levin::shortest(value).c_str(), nullptr) == value);
  }
}

TEST_CASE("fixed numbers have the digits asked for") {
  CHECK(levin::fixed(1.25, 1) == "1.2");
  CHECK(levin::fixed(-3, 0) == "-3");
  CHECK(levin::fixed(1e22, 2) == "10000000000000000000000.00");
}
