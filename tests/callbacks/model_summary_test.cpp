#include "callbacks/model_summary/summary.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace model_summary_test {
using namespace levin::model_summary;

namespace {

const std::vector<Module> modules = {{"", "Net", 0, true, 0},
                                     {"body", "Sequential", 1, true, 0},
                                     {"body.0", "Linear", 2, true, 0},
                                     {"body.1", "ReLU", 2, true, 0},
                                     {"bodyguard", "Linear", 1, false, 0}};
const std::vector<Parameter> parameters = {{"scale", 3, 12, true},
                                           {"body.0.weight", 1200, 4800, true},
                                           {"body.0.bias", 40, 160, true},
                                           {"bodyguard.weight", 10, 40, false}};

}  // namespace

TEST_CASE("a summary counts the parameters of each module down to a depth") {
  struct Case {
    int64_t depth;
    std::vector<int64_t> counts;
  };
  for (const Case& c :
       {Case{1, {1240, 10}}, Case{2, {1240, 1240, 0, 10}}, Case{-1, {1240, 1240, 0, 10}}, Case{0, {}}}) {
    const Summary s = summarize(modules, parameters, c.depth);
    std::vector<int64_t> counts;
    for (const Module& layer : s.layers) counts.push_back(layer.parameters);
    CHECK(counts == c.counts);
    CHECK(s.total == 1253);
    CHECK(s.trainable == 1243);
    CHECK(s.bytes == 5012);
    CHECK(s.in_train_mode == 3);
    CHECK(s.in_eval_mode == 1);
  }
}

TEST_CASE("counts are short") {
  struct Case {
    int64_t n;
    const char* text;
  };
  for (const Case& c : {Case{0, "0  "},
                        {999, "999  "},
                        {1000, "1.0 K"},
                        {12345, "12.3 K"},
                        {123456, "123 K"},
                        {11173962, "11.2 M"},
                        {2000000000, "2.0 B"},
                        {7000000000000000, "7,000 T"}})
    CHECK(human_count(c.n) == c.text);
}

TEST_CASE("the table lines its columns up") {
  CHECK(table(summarize(modules, parameters, 1)) ==
        "  | Name      | Type       | Params | Mode \n"
        "-------------------------------------------\n"
        "0 | body      | Sequential | 1.2 K  | train\n"
        "1 | bodyguard | Linear     | 10     | eval \n"
        "-------------------------------------------\n"
        "1.2 K     Trainable params\n"
        "10        Non-trainable params\n"
        "1.3 K     Total params\n"
        "0.005     Params size (MB)\n"
        "3         Modules in train mode\n"
        "1         Modules in eval mode");
}

TEST_CASE("the table has sizes where those of a layer are known") {
  std::vector<Module> sized = modules;
  sized[1].in_sizes = "[1, 30]", sized[1].out_sizes = "[[1, 4], [2, 1, 4]]";
  CHECK_THAT(
      table(summarize(sized, parameters, 1)),
      Catch::Matchers::StartsWith("  | Name      | Type       | Params | Mode  | In sizes | Out sizes          \n"
                                  "----------------------------------------------------------------------------\n"
                                  "0 | body      | Sequential | 1.2 K  | train | [1, 30]  | [[1, 4], [2, 1, 4]]\n"
                                  "1 | bodyguard | Linear     | 10     | eval  | ?        | ?                  \n"
                                  "-----"));
  sized = modules;
  sized[2].in_sizes = "[1, 30]";  // of a layer that is not shown
  CHECK(table(summarize(sized, parameters, 1)) == table(summarize(modules, parameters, 1)));
}

TEST_CASE("a narrow terminal is spared columns, and their names are below the table") {
  std::vector<Module> sized = modules;
  sized[1].in_sizes = "[1, 30]", sized[1].out_sizes = "[[1, 4], [2, 1, 4]]";
  const std::string text = table(summarize(sized, parameters, 1), 40);
  CHECK_THAT(text, Catch::Matchers::StartsWith("  | Name      | Type       | Params\n"
                                               "-----------------------------------\n"
                                               "0 | body      | Sequential | 1.2 K \n"));
  CHECK_THAT(text, Catch::Matchers::EndsWith("No room for: Mode, In sizes, Out sizes"));
}

TEST_CASE("model_summary prints the model it is given") {
  levin::testing::FakeHost host;
  host.modules = {{"", "Net", 0, true}, {"fc", "Linear", 1, true}};
  host.params = {{"fc.weight", host.tensor({1, 2, 3, 4, 5, 6}, {2, 3})},
                 {"fc.bias", host.tensor({1, 2}, {2}), LEVIN_PARAMETER, false},
                 {"fc.seen", host.tensor({1}), LEVIN_BUFFER}};
  levin::testing::Component summary(host, "model_summary");
  summary.send(LEVIN_HOOK_FIT_START);
  REQUIRE(host.printed.size() == 1);
  CHECK_THAT(host.printed[0], ContainsSubstring("0 | fc   | Linear | 8") &&
                                  ContainsSubstring("6         Trainable params") &&
                                  ContainsSubstring("2         Non-trainable params"));
}

TEST_CASE("model_summary prints the sizes that the model gives") {
  levin::testing::FakeHost host;
  host.modules = {{"", "Net", 0, true}, {"fc", "Linear", 1, true, "[1, 3]", "[1, 2]"}, {"act", "ReLU", 1, true}};
  levin::testing::Component summary(host, "model_summary");
  summary.send(LEVIN_HOOK_FIT_START);
  CHECK_THAT(host.printed.at(0), ContainsSubstring("0 | fc   | Linear | 0      | train | [1, 3]   | [1, 2]   ") &&
                                     ContainsSubstring("1 | act  | ReLU   | 0      | train | ?        | ?        "));
}

TEST_CASE("a model without a module tree is shown by its totals, and depth 0 is silent") {
  levin::testing::FakeHost host;
  host.missing_services.insert("levin.module_tree/1");
  host.params = {{"weight", host.tensor({1, 2}, {2})}};
  levin::testing::Component summary(host, "model_summary");
  summary.send(LEVIN_HOOK_FIT_START);
  CHECK_THAT(host.printed.at(0), ContainsSubstring("2         Total params"));
  levin::testing::Component silent(host, "model_summary", {{"max_depth", 0}});
  silent.send(LEVIN_HOOK_FIT_START);
  CHECK(host.printed.size() == 1);
}

}  // namespace model_summary_test
