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

TEST_CASE("keys know their columns") {
  const auto document = parse_json_document(R"({"a": {"b\"": 1, "\\": 2}, /*"*/ "c": 3,
  "\"d": [{"e": 1}, {"e": 2}, [{"e": 3}]]})",
                                            "x.json");
  const auto column = [&](const char* path) { return document.places.at(path).column; };
  CHECK(column("a") == 2);
  CHECK(column("a/b\"") == 8);
  CHECK(column("a/\\") == 18);
  CHECK(column("c") == 34);
  CHECK(column("\"d") == 3);
  CHECK(document.places.at("\"d").line == 2);
}

TEST_CASE("equal keys of the elements of a list have a place each") {
  const auto document = parse_json_document(R"([{"e": 1}, 5, {"e": 2}, [{"e": 3}], {"f": [{"e": 4}]}])", "x.json");
  CHECK(document.places.at("0/e").column == 3);
  CHECK(document.places.at("2/e").column == 16);
  CHECK(document.places.at("3/0/e").column == 27);
  CHECK(document.places.at("4/f/0/e").column == 45);
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
      {"{\"a\": 1,\n  \"a\": 2}", "x.json:2:3: 'a' is given twice"},
      {"{\"a\": }", "x.json:1:7: unexpected: }; expected a value: an object, a list"},
      {"{\"a\": 1,}", "x.json:1:9: unexpected: }; expected a name in double quotes"},
      {"{'a': 1}", "x.json:1:2: expected a name in double quotes"},
      {"{\"a\" 1}", "x.json:1:6: unexpected: a number; expected a colon"},
      {"{\"a\": 1 \"b\": 2}", "x.json:1:9: unexpected: a text; expected a comma or }"},
      {"[1 2]", "x.json:1:4: unexpected: a number; expected a comma or ]"},
      {"[1, tru]", "expected a value"},
      {"{\"a\": \"b", "x.json:1:9: the quotation mark is not closed"},
      {"[\"\\q\"]", "this text is not valid: forbidden character after backslash"},
      {"[-]", "this number is not valid"},
      {"[1] /", "this comment is not valid"},
      {"", "x.json:1:1: unexpected: the end of the text; expected a value"},
      {"{\n\"a\": 1\n\"b\": 2}", "x.json:3:"},
      {"{\"a\": 1} x", "x.json:1:10: expected the end of the text"},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    CHECK_THROWS_WITH(parse_json(row.text, "x.json"), ContainsSubstring(row.message));
  }
  CHECK_THROWS_WITH(parse_json(std::string(1000, '['), "x"), ContainsSubstring("nested too deeply"));
}

TEST_CASE("the kind of error is the caller's") {
  try {
    parse_json("{", "x", ErrorCode::plugin_description_invalid);
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
