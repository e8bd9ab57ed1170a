#include "callbacks/curves/rates.hpp"

#include <cmath>

#include "callbacks/curves/samples.hpp"
#include "catch.hpp"
#include "levin/host_tensor.hpp"
#include "levin/testing.hpp"
#include "temp_folder.hpp"

namespace curves_test {
using namespace levin::curves;
using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

levin_tensor* classes(FakeHost& host, std::vector<int64_t> values) {
  int64_t shape[] = {static_cast<int64_t>(values.size())};
  return host.tensor(levin_view{values.data(), {LEVIN_CPU, 0}, 1, {LEVIN_INT, 64, 1}, shape, nullptr, 0});
}

void validate(FakeHost& host, Component& callback, const std::vector<levin_named>& outputs,
              levin::Stage stage = levin::Stage::fit) {
  callback.send(LEVIN_HOOK_VALIDATION_EPOCH_START, stage);
  levin_event event = host.event(LEVIN_HOOK_VALIDATION_BATCH_END, stage);
  event.batch_idx = event.dataloader_idx = 0;
  event.outputs = outputs.data();
  event.n_outputs = outputs.size();
  callback.send(event);
  callback.send(LEVIN_HOOK_VALIDATION_EPOCH_END, stage);
}

}  // namespace

TEST_CASE("the ROC curve has a step for each distinct score, and ties count half") {
  const Curve curve = roc({{0.9, true}, {0.8, false}, {0.8, true}, {0.1, false}});
  CHECK(curve.xs == std::vector<double>{0, 0, 0.5, 1});
  CHECK(curve.ys == std::vector<double>{0, 0.5, 1, 1});
  CHECK(curve.area == 0.875);
  CHECK(roc({{0.5, true}}).xs.empty());
  CHECK(roc({}).xs.empty());
}

TEST_CASE("the curve of precision and recall begins at recall 0; its area is the average precision") {
  const Curve curve = precision_recall({{0.9, true}, {0.8, false}, {0.7, true}, {0.1, false}});
  CHECK(curve.xs == std::vector<double>{0, 0.5, 0.5, 1, 1});
  CHECK(curve.ys == std::vector<double>{1, 1, 0.5, 2.0 / 3, 0.5});
  CHECK(curve.area == Approx(0.5 + 0.5 * 2 / 3));
  CHECK(precision_recall({{0.5, false}}).xs.empty());
}

TEST_CASE("calibration is the fraction of right predictions in bins of confidence, with the expected error") {
  const Curve curve = calibration({{0.9, true}, {0.95, false}, {0.6, true}, {1, true}}, 10);
  CHECK(curve.xs == std::vector<double>{0.6, (0.9 + 0.95 + 1) / 3});
  CHECK(curve.ys == std::vector<double>{1, 2.0 / 3});
  CHECK(curve.area == Approx((0.4 + (2.85 - 2)) / 4));
  CHECK(calibration({}, 10).xs.empty());
}

TEST_CASE("rows of scores are probabilities if they sum to 1, and else logits") {
  Samples samples;
  samples.add({0.2, 0.3, 0.5, 0, 0, std::log(2)}, {2, 0}, 10);
  CHECK(samples.of_class(2)[0].score == 0.5);
  CHECK(samples.of_class(2)[1].score == Approx(0.5));
  CHECK(samples.confidences()[0].positive);
  CHECK_FALSE(samples.confidences()[1].positive);
}

TEST_CASE("samples without a target, with NaN, or beyond the limit are left out") {
  Samples samples;
  samples.add({1, 2, NAN, 1, 3, 4, 5, 6, 7, 8}, {-100, 0, 1, 0, 1}, 2);
  REQUIRE(samples.of_class(1).size() == 2);
  CHECK(samples.of_class(1)[0].score == 1);
  samples.add({1, INFINITY, -INFINITY, -INFINITY}, {0, 1}, 10);
  CHECK(samples.of_class(1).size() == 2);
  CHECK_THROWS_WITH(samples.add({1, 2, 3}, {0}, 10), ContainsSubstring("curves need scores"));
  CHECK_THROWS_WITH(samples.add({1}, {0}, 10), ContainsSubstring("not 1 scores for 1 targets"));
}

TEST_CASE("each pixel is a sample") {
  const std::vector<double> two_classes = {1, 2, 3, 4, 5, 6};  // [1, 2, 3]
  CHECK(classes_last(two_classes, {1, 2, 3}) == std::vector<double>{1, 4, 2, 5, 3, 6});
  CHECK(classes_last(two_classes, {3, 2}) == two_classes);
}

TEST_CASE("each validation draws its curves into files and for loggers, but not the sanity check") {
  FakeHost host;
  const TempFolder folder;
  host.texts["run_dir"] = folder.path().string();
  Component callback(host, "curves");
  const std::vector<levin_named> outputs = {
      {"scores", host.tensor({0.9f, 0.1f, 0.4f, 0.6f, 0.2f, 0.8f, 0.7f, 0.3f}, {4, 2})},
      {"target", classes(host, {0, 1, 1, 1})}};
  validate(host, callback, outputs, levin::Stage::sanity);
  CHECK(host.media.empty());
  validate(host, callback, outputs);
  CHECK(host.media == std::vector<std::string>{"figure/roc_val", "figure/pr_val", "figure/calibration_val"});
  CHECK_THAT(folder.read("roc_val.svg"), ContainsSubstring("ROC") && ContainsSubstring(">1 1.0<"));
  CHECK_THAT(folder.read("calibration_val.svg"), ContainsSubstring("calibration, error"));
}

TEST_CASE("curves that do not exist are refused, and a model without scores is told of once") {
  FakeHost host;
  CHECK_THROWS_WITH(Component(host, "curves", {{"draw", "roc, rocc"}}),
                    ContainsSubstring("no curve 'rocc'; there are roc, pr, calibration"));
  Component callback(host, "curves");
  for (int i = 0; i < 2; ++i) validate(host, callback, {});
  REQUIRE(host.messages.size() == 1);
  CHECK_THAT(host.messages[0].second, ContainsSubstring("return no 'scores'"));
}

TEST_CASE("floats of 16 bits are read as numbers") {
  FakeHost host;
  const auto numbers = [&](std::vector<uint16_t> bits, uint8_t code) {
    int64_t shape[] = {static_cast<int64_t>(bits.size())};
    levin_tensor* tensor = host.tensor(levin_view{bits.data(), {LEVIN_CPU, 0}, 1, {code, 16, 1}, shape, nullptr, 0});
    const levin::detail::Services services(host.raw());
    return levin::HostTensor(levin::Run(&services, host.run()), tensor).numbers();
  };
  CHECK(numbers({0x3f80, 0xc040, 0x0000, 0x7f80}, LEVIN_BFLOAT) == std::vector<double>{1, -3, 0, HUGE_VAL});
  CHECK(numbers({0x3c00, 0xc200, 0x0001, 0x7bff}, LEVIN_FLOAT) ==
        std::vector<double>{1, -3, std::ldexp(1, -24), 65504});
}

}  // namespace curves_test
