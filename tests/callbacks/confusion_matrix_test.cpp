#include "callbacks/confusion_matrix/matrix.hpp"

#include "catch.hpp"
#include "levin/host_tensor.hpp"
#include "levin/testing.hpp"
#include "temp_folder.hpp"

namespace confusion_matrix_test {
using namespace levin::confusion_matrix;
using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

levin_tensor* classes(FakeHost& host, std::vector<int64_t> values) {
  int64_t shape[] = {static_cast<int64_t>(values.size())};
  return host.tensor(levin_view{values.data(), {LEVIN_CPU, 0}, 1, {LEVIN_INT, 64, 1}, shape, nullptr, 0});
}

void end_batch(FakeHost& host, Component& callback, uint32_t hook, const std::vector<levin_named>& outputs,
               levin::Stage stage = levin::Stage::fit) {
  levin_event event = host.event(hook, stage);
  event.batch_idx = event.dataloader_idx = 0;
  event.outputs = outputs.data();
  event.n_outputs = outputs.size();
  callback.send(event);
}

}  // namespace

TEST_CASE("a matrix counts predictions by target and grows with the classes that it sees") {
  Matrix matrix;
  matrix.add(0, 0);
  matrix.add(2, 1);
  matrix.add(2, 1);
  matrix.add(-100, 0);  // the default ignore_index of losses
  CHECK(matrix.size() == 3);
  CHECK(matrix.count(2, 1) == 2);
  CHECK(matrix.count(0, 0) == 1);
  matrix.reserve(4);
  CHECK(matrix.count(2, 1) == 2);
  CHECK(to_csv(matrix, {"a", "b, c"}) == "target,a,\"b, c\",2,3\na,1,0,0,0\n\"b, c\",0,0,0,0\n2,0,2,0,0\n3,0,0,0,0\n");
}

TEST_CASE("the matrix as JSON and as a table") {
  Matrix matrix;
  matrix.add(0, 0);
  matrix.add(1, 0);
  matrix.add(1, 1);
  CHECK(to_json(matrix, {"cat", "d\"g"}) ==
        R"({"columns": ["target", "cat", "d\"g"], "rows": [["cat", 1, 0], ["d\"g", 1, 1]]})");
  CHECK(to_table(matrix, {"cat", "dög"}) ==
        "target  cat  dög  right %\ncat       1    0    100.0\ndög       1    1     50.0");
  CHECK(to_table(matrix, {"cat", "dög"}, 20) ==
        "target  cat  dög\ncat       1    0\ndög       1    1\n\ntarget  right %\ncat       100.0\ndög        50.0");
  const std::string figure = to_figure(matrix, {"cat", "d<g"}).svg();
  CHECK_THAT(figure, ContainsSubstring(">d&lt;g<") && ContainsSubstring(">0.5<") && ContainsSubstring(">1<"));
  CHECK_NOTHROW(to_figure(Matrix(), {}).svg());
  CHECK(to_json(Matrix(), {}) == R"({"columns": ["target"], "rows": []})");
}

TEST_CASE(
    "each validation is counted anew; its file, its table for loggers and what is printed at the end of the fit") {
  FakeHost host;
  const TempFolder folder;
  host.texts["run_dir"] = folder.path().string();
  Component callback(host, "confusion_matrix");
  levin_tensor* target = classes(host, {0, 1, 1});
  for (const std::vector<int64_t>& predicted : {std::vector<int64_t>{1, 1, 1}, {0, 1, 0}}) {
    callback.send(LEVIN_HOOK_VALIDATION_EPOCH_START);
    end_batch(host, callback, LEVIN_HOOK_VALIDATION_BATCH_END,
              {{"prediction", classes(host, predicted)}, {"target", target}});
    callback.send(LEVIN_HOOK_VALIDATION_EPOCH_END);
  }
  CHECK(folder.read("confusion_matrix_val.csv") == "target,0,1\n0,1,0\n1,1,1\n");
  CHECK(host.media == std::vector<std::string>{"table/confusion_matrix_val", "figure/confusion_matrix_figure_val",
                                               "table/confusion_matrix_val", "figure/confusion_matrix_figure_val"});
  CHECK(host.printed.empty());
  callback.send(LEVIN_HOOK_FIT_END);
  REQUIRE(host.printed.size() == 1);
  CHECK_THAT(host.printed[0],
             ContainsSubstring("confusion_matrix_val (rows: target, columns: prediction)\ntarget  0  1"));
}

TEST_CASE("the sanity check is not counted, and many classes are not printed") {
  FakeHost host;
  host.texts["run_dir"] = "";
  Component callback(host, "confusion_matrix", {{"print_classes", 1}});
  const std::vector<levin_named> outputs = {{"prediction", classes(host, {0, 1})}, {"target", classes(host, {1, 1})}};
  callback.send(LEVIN_HOOK_VALIDATION_EPOCH_START, levin::Stage::sanity);
  end_batch(host, callback, LEVIN_HOOK_VALIDATION_BATCH_END, outputs, levin::Stage::sanity);
  callback.send(LEVIN_HOOK_VALIDATION_EPOCH_END, levin::Stage::sanity);
  CHECK(host.media.empty());
  callback.send(LEVIN_HOOK_TEST_EPOCH_START, levin::Stage::test);
  end_batch(host, callback, LEVIN_HOOK_TEST_BATCH_END, outputs, levin::Stage::test);
  callback.send(LEVIN_HOOK_TEST_EPOCH_END, levin::Stage::test);
  CHECK(host.media.size() == 2);
  CHECK(host.printed.empty());
}

TEST_CASE("a model that returns no classes is told of once, and outputs that do not fit are an error") {
  FakeHost host;
  Component callback(host, "confusion_matrix");
  for (int i = 0; i < 2; ++i) end_batch(host, callback, LEVIN_HOOK_VALIDATION_BATCH_END, {});
  REQUIRE(host.messages.size() == 1);
  CHECK_THAT(host.messages[0].second,
             ContainsSubstring("return no 'prediction'") && ContainsSubstring("levin::classifier"));
  CHECK_THROWS_WITH(end_batch(host, callback, LEVIN_HOOK_VALIDATION_BATCH_END,
                              {{"prediction", classes(host, {0})}, {"target", classes(host, {1, 1})}}),
                    ContainsSubstring("has 1 classes, and 'target' 2"));
  CHECK_THROWS_WITH(end_batch(host, callback, LEVIN_HOOK_VALIDATION_BATCH_END,
                              {{"prediction", host.tensor({0.5f}, {1})}, {"target", classes(host, {1})}}),
                    ContainsSubstring("no integers that can be read"));
}

TEST_CASE("the elements of a tensor are read in their order, whatever its strides") {
  FakeHost host;
  float values[] = {0, 1, 2, 3, 4, 5};
  int64_t shape[] = {3, 2}, strides[] = {1, 3};
  levin_tensor* transposed =
      host.tensor(levin_view{values, {LEVIN_CPU, 0}, 2, {LEVIN_FLOAT, 32, 1}, shape, strides, 0});
  const levin::detail::Services services(host.raw());
  const levin::HostTensor tensor(levin::Run(&services, host.run()), transposed);
  CHECK(tensor.numbers() == std::vector<double>{0, 3, 1, 4, 2, 5});
}

}  // namespace confusion_matrix_test
