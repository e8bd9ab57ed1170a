#include "core/config/option.hpp"

#include <filesystem>
#include <limits>

#include "catch.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {

OptionSchema option(uint32_t type, uint32_t flags = 0) {
  OptionSchema o;
  o.name = "x";
  o.type = type;
  o.flags = flags;
  return o;
}

OptionSchema url() {
  OptionSchema o = option(LEVIN_T_PATH);
  o.takes_url = true;
  return o;
}

OptionSchema bounded(uint32_t type, double min, double max) {
  OptionSchema o = option(type);
  o.min = min;
  o.max = max;
  return o;
}

OptionSchema choice() {
  OptionSchema o = option(LEVIN_T_CHOICE);
  o.choices = {"norm", "value", "18"};
  return o;
}

}  // namespace

TEST_CASE("a value becomes one of the option's type") {
  struct Row {
    OptionSchema schema;
    json given, checked;
  };
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<Row> rows = {
      {option(LEVIN_T_INT), 10, 10},
      {option(LEVIN_T_INT), "10", 10},
      {option(LEVIN_T_INT), "-1", -1},
      {option(LEVIN_T_INT), "1e6", 1000000},
      {option(LEVIN_T_INT), 3.0, 3},
      {option(LEVIN_T_FLOAT), "1e-3", 0.001},
      {option(LEVIN_T_FLOAT), 1, 1.0},
      {option(LEVIN_T_FLOAT), ".5", 0.5},
      {option(LEVIN_T_BOOL), "true", true},
      {option(LEVIN_T_BOOL), "True", true},
      {option(LEVIN_T_BOOL), "1", true},
      {option(LEVIN_T_BOOL), "yes", true},
      {option(LEVIN_T_BOOL), "on", true},
      {option(LEVIN_T_BOOL), "no", false},
      {option(LEVIN_T_BOOL), "0", false},
      {option(LEVIN_T_BOOL), 1, true},
      {option(LEVIN_T_STRING), "10", "10"},
      {option(LEVIN_T_STRING), 10, "10"},
      {option(LEVIN_T_STRING), "", ""},
      {option(LEVIN_T_PATH), "a/../b", (std::filesystem::current_path() / "b").string()},
      {option(LEVIN_T_PATH), "/x/y", "/x/y"},
      {option(LEVIN_T_PATH), "/x/a://b", "/x/a:/b"},
      {url(), "https://example.org/x/../a.csv", "https://example.org/x/../a.csv"},
      {url(), "HTTP://example.org/a.csv", "HTTP://example.org/a.csv"},
      {url(), "/x//a", "/x/a"},
      {option(LEVIN_T_PATH), "", ""},
      {choice(), "value", "value"},
      {choice(), "NORM", "norm"},
      {choice(), 18, "18"},
      {option(LEVIN_T_JSON), "[1, 2]", json({1, 2})},
      {option(LEVIN_T_JSON), "1.0", 1.0},
      {option(LEVIN_T_JSON), "word", "word"},
      {option(LEVIN_T_INTS), "1,2, 3", json({1, 2, 3})},
      {option(LEVIN_T_INTS), "[4]", json({4})},
      {option(LEVIN_T_INTS), 5, json({5})},
      {option(LEVIN_T_INT, LEVIN_OPT_NULLABLE), nullptr, nullptr},
      {option(LEVIN_T_INT, LEVIN_OPT_NULLABLE), "null", nullptr},
      {option(LEVIN_T_INT, LEVIN_OPT_NULLABLE), "None", nullptr},
      {option(LEVIN_T_STRING), "null", "null"},
      {bounded(LEVIN_T_INT, 1, inf), 1, 1},
      {bounded(LEVIN_T_FLOAT, 0, 1), "1", 1.0},
  };
  for (const auto& row : rows) {
    INFO(type_name(row.schema.type) << " from " << row.given);
    const json checked = check_option(row.schema, row.given, "here");
    CHECK(checked == row.checked);
    CHECK(checked.type() == row.checked.type());
  }
}

TEST_CASE("a value of another kind is refused with what is expected") {
  struct Row {
    OptionSchema schema;
    json given;
    const char* message;
  };
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<Row> rows = {
      {option(LEVIN_T_INT), "abc", "here: 'abc' is not valid; expected int"},
      {option(LEVIN_T_INT), "1.5", "expected int"},
      {option(LEVIN_T_INT), 1.5, "1.5 is not valid"},
      {option(LEVIN_T_INT), "", "'' is not valid"},
      {option(LEVIN_T_INT), nullptr, "null is not valid"},
      {option(LEVIN_T_INT), true, "true is not valid"},
      {option(LEVIN_T_INT), "99999999999999999999", "is not valid"},
      {option(LEVIN_T_FLOAT), "nan", "expected float"},
      {option(LEVIN_T_FLOAT), "inf", "expected float"},
      {option(LEVIN_T_FLOAT), "0x10", "expected float"},
      {option(LEVIN_T_BOOL), "maybe", "expected bool"},
      {option(LEVIN_T_BOOL), 2, "expected bool"},
      {option(LEVIN_T_STRING), json::array(), "expected string"},
      {option(LEVIN_T_PATH), "https://example.org/a.csv",
       "here: 'https://example.org/a.csv' is an address; expected the path of a file or folder: download it first"},
      {url(), "s3://bucket/a.csv",
       "here: 's3://bucket/a.csv' is an address; expected the path of a file or folder, or an http address"},
      {choice(), "norn", "expected one of: norm, value, 18; did you mean 'norm'?"},
      {bounded(LEVIN_T_INT, 1, inf), 0, "expected int >= 1"},
      {bounded(LEVIN_T_FLOAT, 0, 1), 1.5, "expected float in [0, 1]"},
      {bounded(LEVIN_T_INT, -inf, 7), 8, "expected int <= 7"},
      {option(LEVIN_T_INTS), "1,x", "expected a list of int"},
      {option(LEVIN_T_INT, LEVIN_OPT_NULLABLE), "x", "expected int or null"},
  };
  for (const auto& row : rows) {
    INFO(row.given);
    CHECK_THROWS_WITH(check_option(row.schema, row.given, "here"), ContainsSubstring(row.message));
  }
}

TEST_CASE("a secret is not repeated in a message") {
  CHECK_THROWS_WITH(check_option(option(LEVIN_T_INT, LEVIN_OPT_SECRET), "hunter2", "here"),
                    !ContainsSubstring("hunter2"));
}

TEST_CASE("options of optimizers and of callbacks that models bring may have former names, but not two names at once") {
  OptionSchema rate = float_option("lr", 0.1, 0, "rate");
  rate.aliases = {"eta", "rate"};
  const std::vector<OptionSchema> schema = {rate};
  CHECK(resolve_options(schema, {{"eta", 0.5}}, "optimizer 'lion'") == json({{"lr", 0.5}}));
  CHECK(resolve_options(schema, json::object(), "optimizer 'lion'") == json({{"lr", 0.1}}));
  CHECK_THROWS_WITH(resolve_options(schema, {{"eta", 0.5}, {"lr", 0.5}}, "optimizer 'lion'"),
                    ContainsSubstring("optimizer 'lion': 'eta' is now 'lr'; give one of them"));
  CHECK_THROWS_WITH(resolve_options(schema, {{"eta", 0.5}, {"rate", 0.5}}, "optimizer 'lion'"),
                    ContainsSubstring("'rate' is now 'lr'"));
}
