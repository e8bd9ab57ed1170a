#include "samples.hpp"

#include "catch.hpp"

using namespace levin::metrics;

TEST_CASE("metrics by name are kept apart by stage and loader") {
  MetricSet set("f1, auroc", 2);
  const at::Tensor scores = numbers({0.9, 0.1, 0.2, 0.8}).view({2, 2});
  std::map<std::string, double> seen;
  const auto keep = [&](const char* name, Metric& metric) { seen[name] = metric.compute(); };
  set.update("val_", 0, scores, classes({0, 1}), keep);
  CHECK(seen == std::map<std::string, double>{{"val_f1", 1.0}, {"val_auroc", 1.0}});
  set.update("val_", 1, scores, classes({1, 0}), keep);
  CHECK(seen["val_f1"] == 0);
  CHECK_THROWS_WITH(MetricSet("f2", 2), ContainsSubstring("'f2'") && ContainsSubstring("macro_accuracy"));
}
