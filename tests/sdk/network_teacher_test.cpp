// Distillation: the loss against the formula, and a teacher that the host opens.
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

#include <cmath>

#include "catch.hpp"
#include "levin/testing/torch.hpp"

namespace taught {
namespace {

using levin::testing::Options;
using levin::testing::TorchHost;
using levin::testing::TorchModel;

struct Net : torch::nn::Module {
  torch::nn::Linear out{nullptr};
  explicit Net(const levin::DataInfo& data) {
    out = register_module("out", torch::nn::Linear(4, levin::outputs_of(data)));
  }
  torch::Tensor forward(torch::Tensor x) { return out(x); }
};
const levin_component net = levin::network<Net>("taught", "for tests");
const levin_component classifier = levin::classifier<Net>("taught_classifier", "for tests");
const std::vector<levin::Field> fields = {levin::input("x", levin::float32, {4}), levin::target("y", 3)};

// T^2 KL(softmax(teacher / T) || softmax(student / T)) of one row.
double by_hand(const std::vector<double>& student, const std::vector<double>& teacher, double temperature) {
  double own = 0, theirs = 0, sum = 0;
  for (size_t i = 0; i < student.size(); ++i)
    own += std::exp(student[i] / temperature), theirs += std::exp(teacher[i] / temperature);
  for (size_t i = 0; i < student.size(); ++i) {
    const double p = std::exp(teacher[i] / temperature) / theirs, q = std::exp(student[i] / temperature) / own;
    sum += p * std::log(p / q);
  }
  return temperature * temperature * sum;
}

double logged(const TorchHost& host, const std::string& name) {
  for (const auto& [key, value] : host.logged)
    if (key == name) return value;
  return -1;
}
// A host with the file "t", whose network returns these scores.
void add_teacher(TorchHost& host, const torch::Tensor& scores) {
  host.networks["t"] = [scores](const std::vector<levin_tensor*>&) -> std::vector<levin_tensor*> {
    return {levin::release(torch::Tensor(scores))};
  };
}
const torch::Tensor inputs = torch::tensor({{1.f, 0.f, 2.f, -1.f}, {0.5f, 1.f, -1.f, 0.f}}),
                    labels = torch::tensor({0, 2});
const torch::Tensor teachers = torch::tensor({{3.f, -1.f, 0.f}, {0.f, 0.f, 2.f}});

}  // namespace

TEST_CASE("the teacher's loss is that of the paper, without pixels that have no target") {
  const torch::Tensor student = torch::tensor({{1.0, 2.0, 0.5}, {-1.0, 0.0, 3.0}}, torch::kDouble),
                      teacher = torch::tensor({{2.0, 0.0, -0.5}, {0.5, 1.0, 2.0}}, torch::kDouble);
  for (const double temperature : {1.0, 4.0}) {
    const double first = by_hand({1, 2, 0.5}, {2, 0, -0.5}, temperature),
                 second = by_hand({-1, 0, 3}, {0.5, 1, 2}, temperature);
    CHECK(levin::detail::teacher_loss(student, teacher, labels, temperature).item<double>() ==
          Approx((first + second) / 2));
    const torch::Tensor pixels = torch::tensor({{1, -100}});
    CHECK(levin::detail::teacher_loss(student.t().unsqueeze(0), teacher.t().unsqueeze(0), pixels, temperature)
              .item<double>() == Approx(first));
  }
}

TEST_CASE("a teacher counts in training, and neither in validation nor in the parameters") {
  for (const levin_component& component : {net, classifier}) {
    TorchHost host;
    add_teacher(host, teachers);
    TorchModel model(host, component, {{"teacher", "t"}, {"teacher_temperature", 2.0}, {"teacher_weight", 0.3}},
                     fields);
    model.configure_optimizers();
    CHECK(model.parameters().size() == 2);
    const levin::Outputs out = model.training_step({inputs, labels});
    const torch::Tensor y = out.extras.at(0).second.detach().to(at::kDouble);
    double expected = 0;
    for (int64_t row = 0; row < 2; ++row) {
      const auto numbers = [row](const torch::Tensor& t) {
        return std::vector<double>{t[row][0].item<double>(), t[row][1].item<double>(), t[row][2].item<double>()};
      };
      expected += by_hand(numbers(y), numbers(teachers), 2) / 2;
    }
    CHECK(logged(host, "train_teacher_loss") == Approx(expected));
    const double own = at::cross_entropy_loss(y, labels).item<double>();
    CHECK(out.loss.item<double>() == Approx(0.7 * own + 0.3 * expected));
    CHECK(model.validation_step({inputs, labels}).loss.item<double>() == Approx(own));
    model.training_step({inputs, labels});
    CHECK(std::count(host.calls.begin(), host.calls.end(), "open t") == 1);
  }
}

TEST_CASE("a teacher has to exist and to know the same classes, and a task has to have classes") {
  TorchHost host;
  add_teacher(host, torch::zeros({2, 4}));
  TorchModel missing(host, net, {{"teacher", "nowhere"}}, fields);
  CHECK_THROWS(missing.configure_optimizers());
  CHECK(host.failure.find("--model.teacher: nowhere: no such file") != std::string::npos);
  TorchModel other(host, net, {{"teacher", "t"}}, fields);
  other.configure_optimizers();
  CHECK_THROWS(other.training_step({inputs, labels}));
  CHECK(host.failure.find("--model.teacher t gives scores [2, 4], and the model [2, 3]") != std::string::npos);
  CHECK_THROWS(
      TorchModel(host, net, {{"teacher", "t"}},
                 {levin::input("x", levin::float32, {4}), {"y", levin::float32, {}, LEVIN_ROLE_TARGET, 0, {}}}));
  CHECK(host.failure.find("--model.teacher is for classes, and the task is regression") != std::string::npos);
}

}  // namespace taught
