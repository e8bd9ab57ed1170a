#include "callbacks/model_checkpoint/file_name.hpp"
#include "catch.hpp"

namespace file_name_test {
using namespace levin::model_checkpoint;

TEST_CASE("numbers are formatted as Python formats them") {
  struct Case {
    double value;
    bool integral;
    const char *spec, *text;
  };
  const Case cases[] = {
      {3, true, "", "3"},
      {3, true, "02d", "03"},
      {-3, true, "03d", "-03"},
      {3, true, "+d", "+3"},
      {3, true, ".2f", "3.00"},
      {255, true, "#x", "0xff"},
      {5, true, "b", "101"},
      {1234567, true, ",", "1,234,567"},
      {3, false, "", "3.0"},
      {0.1, false, "", "0.1"},
      {1e-7, false, "", "1e-07"},
      {1e20, false, "", "1e+20"},
      {2.25, false, ".1f", "2.2"},
      {2.25, false, "+.1f", "+2.2"},
      {2.25, false, ">8.3f", "   2.250"},
      {2.25, false, "<8.1f", "2.2     "},
      {2.25, false, "*^9.2f", "**2.25***"},
      {-2.5, false, "08.2f", "-0002.50"},
      {2.5, false, " .1f", " 2.5"},
      {0.125, false, ".1%", "12.5%"},
      {12345.678, false, "e", "1.234568e+04"},
      {12345.678, false, ".3g", "1.23e+04"},
      {12345.678, false, ",.1f", "12,345.7"},
      {12, false, ".3", "12.0"},
      {123, false, ".3", "1.23e+02"},
      {100, false, ".3", "1e+02"},
      {100, false, ".1", "1e+02"},
      {0.00012345, false, ".2", "0.00012"},
      {INFINITY, false, ".2f", "inf"},
      {-INFINITY, false, "F", "-INF"},
      {NAN, false, ".2f", "nan"},
      {-0.0, false, "", "-0.0"},
  };
  for (const Case& c : cases) {
    INFO(c.spec);
    CHECK(format_number({c.value, c.integral}, c.spec) == c.text);
  }
  for (const char* spec : {"d", "x", "s", ".f", "q", "5.2fx"}) {
    INFO(spec);
    CHECK_THROWS_AS(format_number({1.5, false}, spec), std::invalid_argument);
  }
  CHECK_THROWS_AS(format_number({1, true}, ".2d"), std::invalid_argument);
}

TEST_CASE("a template becomes a file name") {
  struct Case {
    const char* pattern;
    bool insert;
    const char* name;
  };
  const Candidates metrics = {{"epoch", {7, true}},
                              {"step", {90, true}},
                              {"val_loss", {0.126, false}},
                              {"val/acc", {0.5, false}},
                              {"val", {1, false}}};
  const Case cases[] = {
      {"", true, "epoch=7-step=90"},
      {"", false, "7-90"},
      {"best", true, "best"},
      {"{epoch:03d}-{val_loss:.2f}", true, "epoch=007-val_loss=0.13"},
      {"{epoch:03d}-{val_loss:.2f}", false, "007-0.13"},
      {"{val}{val_loss}", true, "val=1.0val_loss=0.126"},
      {"{val/acc:.1f}", true, "val/acc=0.5"},
      {"{absent}", true, "absent=0"},
      {"{absent:.2f}_{epoch}", true, "absent=0.00_epoch=7"},
  };
  for (const Case& c : cases) {
    FileName name;
    name.pattern = c.pattern;
    name.auto_insert_metric_name = c.insert;
    CHECK(name.name(metrics) == c.name);
  }
}

TEST_CASE("prefix, version, folder and the joining characters find their places") {
  FileName name;
  CHECK(name.name({}, std::string("p")) == "p-epoch=0-step=0");
  name.pattern = "{epoch}";
  name.join = "@", name.equals = ":";
  CHECK(name.name({}, std::string("p")) == "p@epoch:0");
  CHECK(name.path("", {}) == "epoch:0.ckpt");
  CHECK(name.path("/tmp/x", {}, 2) == "/tmp/x/epoch:0@v2.ckpt");
  CHECK(name.path("/tmp/x", {}, 2, "p") == "/tmp/x/p@epoch:0@v2.ckpt");
  CHECK(name.path("", {}, {}, "") == "@epoch:0.ckpt");
}

TEST_CASE("a wrong template is refused with its text") {
  for (const char* pattern : {"{{epoch}}", "{", "{epoch", "epoch}", "{}", "{epoch:q}"}) {
    INFO(pattern);
    FileName name;
    name.pattern = pattern;
    CHECK_THROWS_WITH(name.name({}), ContainsSubstring(pattern));
  }
}

}  // namespace file_name_test
