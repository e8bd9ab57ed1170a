#include "host/submit/grid.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"
#include "host/submit/sbatch_options.hpp"

using namespace levin::core;
using Words = std::vector<std::string>;

TEST_CASE("a grid is the product of its lists, in their order") {
  const std::vector<GridAxis> axes = {read_grid_axis("model.lr", "0.1, 0.01"), read_grid_axis("seed", "1,2,3")};
  const auto runs = grid_product(axes);
  REQUIRE(runs.size() == 6);
  CHECK(runs[0] == Words{"0.1", "1"});
  CHECK(runs[1] == Words{"0.1", "2"});
  CHECK(runs[3] == Words{"0.01", "1"});
  CHECK(grid_words(axes, runs[5]) == Words{"--model.lr=0.01", "--seed=3"});
  CHECK(grid_product({}).size() == 1);
}

TEST_CASE("values with commas are listed as JSON") {
  CHECK(read_grid_axis("x", R"([[8, 8], "a,b", 3, null, 0.5])").values == Words{"[8,8]", "a,b", "3", "null", "0.5"});
}

TEST_CASE("ranges are those of host sweep, and need steps") {
  CHECK(read_grid_axis("x", "int(16,64,16)").values == Words{"16", "32", "48", "64"});
  CHECK(read_grid_axis("x", "uniform(0,0.5,0.25)").values == Words{"0.0", "0.25", "0.5"});
  CHECK_THROWS_WITH(read_grid_axis("x", "log(1e-4,1e-1)"), ContainsSubstring("--grid.x: log(1e-4,1e-1) has no steps"));
  CHECK_THROWS_WITH(read_grid_axis("x", "itn(1,2)"), ContainsSubstring("did you mean 'int'"));
}

TEST_CASE("lists that make no grid are refused") {
  for (const char* wrong : {"", " ", "1,,2", "1,", "1,2,1", "[]", "[1,1]", "[1", R"(["",1])"}) {
    INFO(wrong);
    CHECK_THROWS_AS(read_grid_axis("lr", wrong), Error);
  }
  std::string many = "0";
  for (int i = 1; i < 200; ++i) many += "," + std::to_string(i);
  const GridAxis axis = read_grid_axis("a", many);
  CHECK(grid_product({axis}).size() == 200);
  CHECK_THROWS_WITH(grid_product({axis, axis}), ContainsSubstring("more than 10000 runs"));
}

TEST_CASE("time limits have SLURM's forms") {
  const std::pair<const char*, int64_t> right[] = {{"30", 1800},         {"5:30", 330},     {"1:00:00", 3600},
                                                   {"2-0", 172800},      {"1-2:30", 95400}, {"1-00:00:01", 86401},
                                                   {"120:00:00", 432000}};
  for (const auto& [text, seconds] : right) {
    INFO(text);
    CHECK(time_limit_seconds(text) == seconds);
  }
  for (const char* wrong : {"", "0", "1h", "-5", "1-", "1:2:3:4", "1-2-3", "UNLIMITED", "00:00", "1:", "99999999999"}) {
    INFO(wrong);
    CHECK_FALSE(time_limit_seconds(wrong));
  }
}
