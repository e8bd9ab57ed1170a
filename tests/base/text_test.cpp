#include "core/base/text.hpp"

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("the nearest name is the one that was meant") {
  struct Row {
    const char* typed;
    std::vector<std::string> known;
    const char* meant;  // "" = no name is near
  };
  const std::vector<Row> rows = {
      {"max_epoch", {"min_epochs", "max_epochs", "max_steps"}, "max_epochs"},
      {"maxepochs", {"min_epochs", "max_epochs", "max_steps"}, "max_epochs"},
      {"max-epochs", {"min_epochs", "max_epochs", "max_steps"}, "max_epochs"},
      {"MAX_EPOCHS", {"min_epochs", "max_epochs", "max_steps"}, "max_epochs"},
      {"lr", {"lr", "l1"}, "lr"},
      {"rl", {"lr", "width"}, "lr"},
      {"resent", {"resnet", "mlp"}, "resnet"},
      {"monitor_metric", {"monitor", "mode"}, "monitor"},
      {"batch", {"batch_size", "num_workers"}, "batch_size"},
      {"xyzzy", {"resnet", "mlp"}, ""},
      {"a", {}, ""},
  };
  for (const auto& row : rows) {
    INFO(row.typed);
    CHECK(nearest(row.typed, row.known).value_or("") == row.meant);
  }
}

TEST_CASE("a suggestion names the near one, or the few that there are") {
  CHECK(did_you_mean("depht", {"depth", "lr"}) == "; did you mean 'depth'?");
  CHECK(did_you_mean("xyzzy", {"depth", "lr"}) == "; known: depth, lr");
  CHECK(did_you_mean("xyzzy", {"depth", "lr"}, 1) == "");
  CHECK(did_you_mean("xyzzy", {}) == "");
}

TEST_CASE("globs match as in a shell") {
  struct Row {
    const char *pattern, *text;
    bool matches;
  };
  const std::vector<Row> rows = {
      {"*", "", true},
      {"*", "abc", true},
      {"a*c", "abbc", true},
      {"a*c", "abcd", false},
      {"?", "a", true},
      {"?", "", false},
      {"a?c", "abc", true},
      {"layer1.*.weight", "layer1.0.weight", true},
      {"[ab]x", "bx", true},
      {"[a-c]x", "cx", true},
      {"[a-c]x", "dx", false},
      {"*[0-9]", "a7", true},
      {"[", "[", true},
      {"a**b", "ab", true},
      {"*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
      {"", "", true},
      {"", "a", false},
      {"*.bias", "fc.bias", true},
      {"*.bias", "bias", false},
  };
  for (const auto& row : rows) {
    INFO(row.pattern << " on " << row.text);
    CHECK(glob_match(row.pattern, row.text) == row.matches);
  }
}

TEST_CASE("texts are split, joined and trimmed") {
  CHECK(split("a.b.c", '.') == std::vector<std::string>{"a", "b", "c"});
  CHECK(split("", '.') == std::vector<std::string>{""});
  CHECK(join({"a", "b"}, ", ") == "a, b");
  CHECK(trim(" \t x y\n") == "x y");
  CHECK(trim("  ") == "");
  CHECK(printable("a\x1b[31mb\r\x7f\n\tc\xc3\xa4") == "a?[31mb??\n\tc\xc3\xa4");
  CHECK(printable("caf\xe9 \xe2\x82 \xed\xa0\x80 \xc2\x9b \xc0\xaf \xf0\x9f\x98\x80") ==
        "caf? ?? ??? ? ?? \xf0\x9f\x98\x80");
  CHECK(is_utf8("gr\xc3\xbcn"));
  CHECK_FALSE(is_utf8("gr\xfcn"));
  CHECK(join_some({"a", "b", "c"}, 2) == "a, b and 1 more");
  CHECK(join_some({"a", "b"}, 2) == "a, b");
  CHECK(ends_with("libx.so", ".so"));
  CHECK_FALSE(ends_with("so", ".so"));
}

TEST_CASE("an unknown name is refused with the one that was meant and those that there are") {
  CHECK(unknown_name("there is no net", "depht", {"depth", "width"}) ==
        "there is no net 'depht'; did you mean 'depth'? (known: depth, width)");
  CHECK(unknown_name("there is no net", "x", {"depth"}) == "there is no net 'x' (known: depth)");
  CHECK(unknown_name("net has no option", "x", {}) == "net has no option 'x'; it has none");
}
