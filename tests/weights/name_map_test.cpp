#include "core/weights/name_map.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;
using nlohmann::json;

TEST_CASE("the longest listed beginning of a name is replaced, or leaves it out") {
  const NameMap map(json{{"module.", ""}, {"module.head.", nullptr}, {"fc", "out"}}, "map");
  CHECK(map("module.conv.weight") == "conv.weight");
  CHECK_FALSE(map("module.head.bias"));
  CHECK(map("fc.bias") == "out.bias");
  CHECK(map("conv.weight") == "conv.weight");
  const NameMap all(json{{"", "net."}}, "map");
  CHECK(all("conv.weight") == "net.conv.weight");
  CHECK_THROWS_WITH(NameMap(json(3), "model.init_map"), ContainsSubstring("not a map of name prefixes"));
  CHECK_THROWS_AS(NameMap(json{{"a", 1}}, "map"), Error);
}

TEST_CASE("a beginning that all names of one side have is proposed") {
  const std::vector<std::string> plain = {"conv.weight", "conv.bias", "fc.weight"};
  const std::vector<std::string> wrapped = {"module.conv.weight", "module.conv.bias", "module.fc.weight"};
  const auto away = suggested_map(wrapped, plain), on = suggested_map(plain, wrapped);
  REQUIRE(away);
  CHECK(away->to_json() == json{{"module.", ""}});
  REQUIRE(on);
  CHECK(on->to_json() == json{{"", "module."}});
  CHECK_FALSE(suggested_map(plain, plain));
  CHECK_FALSE(suggested_map(plain, {"other"}));
}
