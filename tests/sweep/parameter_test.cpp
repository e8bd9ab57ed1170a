#include "sweep/space/parameter.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;
using namespace levin::core::sweep;

namespace {
Parameter read(const std::string& text) { return read_parameter("x", text, "--param x"); }
}  // namespace

TEST_CASE("values are listed, or are a range") {
  CHECK(read("64, 128").choices == std::vector<std::string>{"64", "128"});
  CHECK(read("64,128").json(1) == 128);
  CHECK(read("relu,gelu").json(1) == "gelu");
  CHECK(read(R"([[1,2],[3]])").written(1) == "[3]");
  const Parameter log = read("log(1e-4, 1e-1)");
  CHECK((log.kind == ParameterKind::real && log.log && log.low == 1e-4 && log.high == 1e-1));
  CHECK(log.written(0.001) == "0.001");
  const Parameter whole = read("int(16,100,16)");
  CHECK(whole.written(whole.nearest_value(50)) == "48");
  CHECK(whole.nearest_value(1e9) == 96);
  CHECK(read("logint(1,1024)").nearest_value(3.4) == 3);
}

TEST_CASE("only lists and steps have all their values") {
  CHECK(read("a,b,c").all_values()->size() == 3);
  CHECK(*read("uniform(0,1,0.25)").all_values() == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  CHECK(read("int(1,4)").all_values()->size() == 4);
  CHECK_FALSE(read("uniform(0,1)").all_values());
  CHECK_FALSE(read("logint(1,8)").all_values());
}

TEST_CASE("texts that are no values are refused with what would be") {
  for (const char* wrong : {"", "1,,2", "1,1", "log(0,1)", "log(1,1e-3)", "log(1)", "log(1,2,3)", "int(0.5,2)",
                            "int(1,9,0)", "uniform(a,b)", "uniform(0,inf)", "logint(0,8)", "uniform(1,1)"}) {
    INFO(wrong);
    CHECK_THROWS_AS(read(wrong), Error);
  }
  CHECK_THROWS_WITH(read("lgo(1,2)"), ContainsSubstring("did you mean 'log'"));
  CHECK_THROWS_WITH(read("int(1,2.5)"), ContainsSubstring("--param x") && ContainsSubstring("whole numbers"));
}
