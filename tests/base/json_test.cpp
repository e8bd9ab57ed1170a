#include "core/base/json.hpp"

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("JSON may have comments, and keys know their lines") {
  const auto document =
      parse_json_document("{ // why\n \"a\": 1, /* more */\n \"b\": {\n  \"c\": [1, {\"d\": 2}]}}", "x.json");
  CHECK(document.value == nlohmann::json::parse(R"({"a":1,"b":{"c":[1,{"d":2}]}})"));
  CHECK(document.places.at("a").line == 2);
  CHECK(document.places.at("b").line == 3);
  CHECK(document.places.at("b/c").line == 4);
}

TEST_CASE("keys know their order") {
  const auto document = parse_json_document(R"({"z": {"b": 1, "a": 2}, "c": 3})", "x");
  CHECK(document.places.at("z").order < document.places.at("z/b").order);
  CHECK(document.places.at("z/b").order < document.places.at("z/a").order);
  CHECK(document.places.at("z/a").order < document.places.at("c").order);
}

TEST_CASE("numbers keep their kind") {
  const auto value = parse_json("[1, 1.0, -1, true, \"1\", null]", "x");
  CHECK(value[0].is_number_integer());
  CHECK(value[1].is_number_float());
  CHECK(value[2] == -1);
  CHECK(value[3] == true);
  CHECK(value[4] == "1");
  CHECK(value[5].is_null());
}

TEST_CASE("bad JSON is refused with its place") {
  struct Row {
    const char *text, *message;
  };
  const std::vector<Row> rows = {
      {"{\"a\": 1,\n  \"a\": 2}", "x.json:2:6: 'a' is given twice"},
      {"{\"a\": }", "x.json:1:7: syntax error"},
      {"", "x.json:1:1: "},
      {"{\n\"a\": 1\n\"b\": 2}", "x.json:3:"},
      {"{\"a\": 1} x", "x.json:1:10"},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    CHECK_THROWS_WITH(parse_json(row.text, "x.json"), ContainsSubstring(row.message));
  }
  CHECK_THROWS_WITH(parse_json(std::string(1000, '['), "x"), ContainsSubstring("nested too deeply"));
}

TEST_CASE("the kind of error is the caller's") {
  try {
    parse_json("{", "x", ErrorKind::plugin);
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(e.exit_code() == 3);
  }
}

TEST_CASE("a text of very many lists and keys is read in one go") {
  std::string lists = "[[]", keys = "{\"\":0";
  for (int i = 0; i < 200000; ++i) (lists += ",\n[]"), keys += ",\n\"" + std::to_string(i) + "\":0";
  CHECK(parse_json(lists + "]", "x").size() == 200001);
  CHECK(parse_json_document(keys + "}", "x").places.at("199999").line == 200001);
}
