#include "core/components/arguments.hpp"

#include "catch.hpp"

using namespace levin::core;

namespace {

OptionSchema json_option(uint32_t flags) {
  OptionSchema o;
  o.name = "x";
  o.type = LEVIN_T_JSON;
  o.flags = flags;
  o.deflt = nullptr;
  return o;
}

}  // namespace

TEST_CASE("null is no value where an option may be null, and JSON where it is JSON only") {
  const Arguments nullable({json_option(LEVIN_OPT_NULLABLE)}, {{"x", nullptr}});
  CHECK(nullable.raw()->values[0].type == LEVIN_T_NONE);
  const Arguments plain({json_option(0)}, {{"x", nullptr}});
  REQUIRE(plain.raw()->values[0].type == LEVIN_T_JSON);
  CHECK(std::string(plain.raw()->values[0].v.s) == "null");
  const Arguments given({json_option(LEVIN_OPT_NULLABLE)}, {{"x", {0.05, 0.01}}});
  REQUIRE(given.raw()->values[0].type == LEVIN_T_JSON);
  CHECK(std::string(given.raw()->values[0].v.s) == "[0.05,0.01]");
}
