// Networks without Levin code, as classifiers and regressors.
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/mse_loss.h>
#include <torch/nn/modules/loss.h>
#include <levin/torch.hpp>

#include "catch.hpp"
#include "foreign_networks.hpp"
#include "levin/testing/torch.hpp"

using levin::testing::Options;
using levin::testing::Planned;
using levin::testing::TorchHost;
using levin::testing::TorchModel;

namespace {

const std::vector<levin::Field> classes = {levin::input("x", levin::float32, {4}), levin::target("y", 3)};
const std::vector<levin::Field> numbers = {levin::input("x", levin::float32, {4}),
                                           {"y", levin::float32, {3}, LEVIN_ROLE_TARGET, 0, {}}};

std::vector<torch::Tensor> batch() {
  torch::manual_seed(1);
  return {torch::randn({6, 4}), torch::arange(6).remainder(3)};
}

bool has_option(const levin_component& component, const std::string& name) {
  for (uint32_t i = 0; i < component.n_options; ++i)
    if (name == component.options[i].name) return true;
  return false;
}
torch::Tensor named(const levin::Outputs& out, const std::string& name) {
  for (const auto& [key, tensor] : out.extras)
    if (key == name) return tensor;
  return {};
}
double logged(const TorchHost& host, const std::string& name) {
  for (const auto& [key, value] : host.logged)
    if (key == name) return value;
  return -1;
}
template <class Net>
Net& network_of(const TorchModel& model) {
  using Task = levin::ClassificationTask<Net>;
  return levin::detail::Holder<Task, levin::detail::ModelExtra>::of(model.self()).object.module();
}
levin::Outputs trained(const levin_component& component, const std::vector<levin::Field>& data = classes) {
  TorchHost host;
  return TorchModel(host, component, {}, data).training_step(batch());
}

struct LogPerceptron : foreign::PerceptronImpl {
  torch::Tensor forward(torch::Tensor x) { return foreign::PerceptronImpl::forward(x).log_softmax(1); }
};
struct Weighted : foreign::TwoHeads {
  static constexpr double loss_weights[] = {1, 0.5};
};
struct OnlyFirst : foreign::TwoHeads {
  static constexpr double loss_weights[] = {1};
};
struct Whole : foreign::Inception {
  torch::Tensor prediction(const foreign::AuxiliaryOutput& y) { return y.output; }
  torch::Tensor loss(const foreign::AuxiliaryOutput& y, const torch::Tensor& target) {
    const torch::Tensor loss = at::cross_entropy_loss(y.output, target);
    return y.aux.defined() ? loss + 0.5 * at::cross_entropy_loss(y.aux, target) : loss;
  }
};
struct Halved : foreign::PerceptronImpl {
  static torch::Tensor loss(const torch::Tensor& y, const torch::Tensor& target) {
    return at::cross_entropy_loss(y, target) / 2;
  }
};
struct Tripled {
  torch::Tensor operator()(const torch::Tensor& y, const torch::Tensor& target) const {
    return at::cross_entropy_loss(y, target) * 3;
  }
};
struct Drawing : foreign::Variational {
  static torch::Tensor prediction(const foreign::Drawn& y) { return y.image; }
  static torch::Tensor loss(const foreign::Drawn& y, const levin::Batch& b) {
    return at::mse_loss(y.image, b.input()) + (y.mean.square() + y.variance.exp() - y.variance).mean();
  }
};

// With hooks, overrides and a state.
struct Hooked : foreign::PerceptronImpl {
  static constexpr levin_option options[] = {levin::number("speed", "0.5", "of learning", 0, 1)};
  double speed;
  int starts = 0, clips = 0, kept = 7;
  bool prepared = false;
  explicit Hooked(const levin::Args& o) : speed(o.number("speed")) {}
  void on_fit_start(const levin::Event& event) { starts += event.stage() == levin::Stage::fit ? 1 : 0; }
  levin::Status on_train_batch_start() { return LEVIN_SKIP; }
  void configure_optimizers(levin::OptimPlan& plan) {
    plan.optimizer("sgd", {{"lr", speed}}, {{"bias", {"*bias"}, {}}});
  }
  void configure_gradient_clipping(const levin::OptimCall&) { ++clips; }
  std::vector<torch::Tensor> on_after_batch_transfer(const levin::Batch& b) { return {b.input() * 2, b.target()}; }
  void training_epoch_end(const std::vector<levin::Outputs>& outputs) { clips += static_cast<int>(outputs.size()); }
  void save(levin::Writer writer) const { writer.put("kept", kept); }
  void load(levin::Reader reader) { reader.get("kept", kept); }
};

// A network that is a Model has log and may have steps.
struct OwnStep : levin::Model {
  torch::nn::Linear fc{nullptr};
  explicit OwnStep(const levin::DataInfo& of) {
    fc = register_module("fc", torch::nn::Linear(of.input_size(), of.classes()));
  }
  torch::Tensor forward(torch::Tensor x) { return fc(x); }
  void validation_step(const levin::Batch& b) {
    log("own", static_cast<double>(b.rows()));
    log("on_cpu", device().is_cpu() ? 1.0 : 0.0);
  }
};

const levin_component held = levin::classifier<foreign::Perceptron>("held", "");
const levin_component weighted = levin::classifier<Weighted>("weighted", "");
const levin_component first = levin::classifier<OnlyFirst>("first", "");
const levin_component whole = levin::classifier<Whole>("whole", "");
const levin_component halved = levin::classifier<Halved>("halved", "");
const levin_component tripled = levin::classifier<foreign::Perceptron, Tripled>("tripled", "");
const levin_component criterion = levin::classifier<foreign::Perceptron, torch::nn::CrossEntropyLoss>("criterion", "");
const levin_component recurrent = levin::classifier<foreign::Recurrent>("recurrent", "");
const levin_component drawing = levin::regressor<Drawing>("drawing", "");
const levin_component number = levin::regressor<foreign::Perceptron>("number", "");
const levin_component hooked = levin::classifier<Hooked>("hooked", "");
const levin_component own_step = levin::classifier<OwnStep>("own_step", "");
const levin_component frozen = levin::classifier<foreign::Frozen>("frozen", "");

}  // namespace

TEST_CASE("a classifier takes probabilities as targets, and says the most probable class") {
  const std::vector<levin::Field> data = {levin::input("x", levin::float32, {4}), levin::probabilities("y", 3)};
  std::vector<torch::Tensor> whole = batch(), mixed = whole;
  whole[1] = torch::one_hot(whole[1], 3).to(torch::kFloat);
  mixed[1] = 0.7 * whole[1] + 0.3 * whole[1].roll(1, 0);
  for (const char* loss : {"cross_entropy", "nll"}) {
    INFO(loss);
    const auto component = std::string(loss) == "nll" ? levin::classifier<LogPerceptron>("net", "Network")
                                                      : levin::classifier<foreign::Perceptron>("net", "Network");
    TorchHost host, indexed;
    torch::manual_seed(3);
    TorchModel model(host, component, {{"loss", loss}, {"metrics", "f1:macro"}}, data);
    torch::manual_seed(3);
    TorchModel plain(indexed, component, {{"loss", loss}, {"metrics", "f1:macro"}}, classes);
    const levin::Outputs of_whole = model.validation_step(whole), of_index = plain.validation_step(batch());
    CHECK(of_whole.loss.item<float>() == Approx(of_index.loss.item<float>()));
    CHECK(torch::equal(named(of_whole, "target"), batch()[1]));
    CHECK(logged(host, "val_acc") == logged(indexed, "val_acc"));
    const levin::Outputs trained = model.training_step(mixed);
    const torch::Tensor scores = named(trained, "scores").log_softmax(1);
    CHECK(trained.loss.item<float>() == Approx(-(scores * mixed[1]).sum(1).mean().item<float>()));
    CHECK(torch::equal(named(trained, "target"), batch()[1]));
  }
}

TEST_CASE("a network in the holder of TORCH_MODULE is taken out of it, whatever its own options are") {
  TorchHost host;
  TorchModel model(host, held, {}, classes);
  CHECK(model.parameters().count("fc.weight") == 1);
  const double before = model.learn(batch(), 0.5);
  for (int i = 0; i < 20; ++i) model.learn(batch(), 0.5);
  CHECK(model.learn(batch(), 0.5) < before);
  CHECK(host.logged[0].first == "train_loss");
  CHECK(host.logged[0].second == Approx(before));
}

TEST_CASE("steps return what they were about, by name") {
  TorchHost host;
  TorchModel model(host, held, {}, classes);
  const std::vector<torch::Tensor> data = batch();
  const levin::Outputs training = model.training_step(data);
  CHECK(training.loss.requires_grad());
  CHECK(named(training, "scores").sizes() == at::IntArrayRef({6, 3}));
  CHECK(named(training, "target").is_same(data[1]));
  for (const levin::Outputs& out : {model.validation_step(data), model.test_step(data)}) {
    CHECK(out.loss.item<double>() == Approx(training.loss.item<double>()));
    CHECK(named(out, "prediction").equal(named(out, "scores").argmax(1)));
    CHECK(named(out, "target").is_same(data[1]));
  }
  TorchModel regressor(host, number, {}, numbers);  // for the same network: the options are the regressor's
  const levin::Outputs out = regressor.validation_step({data[0], torch::zeros({6, 3})});
  CHECK(named(out, "prediction").sizes() == at::IntArrayRef({6, 3}));
  CHECK(named(out, "target").defined());
}

TEST_CASE("the scores of several heads count by their weights in training, and the first alone in evaluation") {
  TorchHost host;
  const std::vector<torch::Tensor> data = batch();
  TorchModel model(host, weighted, {}, classes);
  auto& net = network_of<Weighted>(model);
  const auto [main, aux] = net.forward(data[0]);
  const double of_main = at::cross_entropy_loss(main, data[1]).item<double>();
  const double of_aux = at::cross_entropy_loss(aux, data[1]).item<double>();
  CHECK(model.training_step(data).loss.item<double>() == Approx(of_main + 0.5 * of_aux));
  CHECK(model.validation_step(data).loss.item<double>() == Approx(of_main));
  CHECK(named(model.training_step(data), "scores").equal(main));
  CHECK(trained(first).loss.defined());
}

TEST_CASE("a network's own loss takes all that forward returns, and the options of a loss are gone") {
  TorchHost host;
  TorchModel model(host, whole, {}, classes);
  CHECK(model.training_step(batch()).loss.item<double>() > model.validation_step(batch()).loss.item<double>());
  CHECK(logged(host, "val_acc") >= 0);
  CHECK_FALSE(has_option(whole, "loss"));
  CHECK_FALSE(has_option(whole, "label_smoothing"));
  CHECK(has_option(held, "loss"));
  CHECK(has_option(whole, "lr"));
}

TEST_CASE("a loss may be of the network, of the task, or a module of LibTorch") {
  torch::manual_seed(3);
  const double plain = trained(held).loss.item<double>();
  torch::manual_seed(3);
  CHECK(trained(halved).loss.item<double>() == Approx(plain / 2));
  torch::manual_seed(3);
  CHECK(trained(tripled).loss.item<double>() == Approx(plain * 3));
  torch::manual_seed(3);
  CHECK(trained(criterion).loss.item<double>() == Approx(plain));
}

TEST_CASE("a hidden state beside the scores is left alone") {
  CHECK(named(trained(recurrent), "scores").sizes() == at::IntArrayRef({6, 3}));
}

TEST_CASE("a loss of the batch needs no target") {
  TorchHost host;
  TorchModel model(host, drawing, {}, {levin::input("x", levin::float32, {4})});
  const levin::Outputs out = model.training_step({batch()[0]});
  CHECK(out.loss.requires_grad());
  CHECK_FALSE(named(out, "target").defined());
  model.validation_step({batch()[0]});
  CHECK(logged(host, "val_loss") > 0);
  CHECK(logged(host, "val_mae") == -1);
}

TEST_CASE("regressors have the losses that bound an outlier") {
  TorchHost host;
  for (const char* loss : {"smooth_l1", "huber", "l1", "mse"}) {
    TorchModel model(host, number, {{"loss", loss}, {"loss_beta", 2.0}}, numbers);
    const torch::Tensor x = torch::zeros({1, 4}), far = torch::full({1, 3}, 100.0);
    const double value = model.validation_step({x, far}).loss.item<double>();
    const std::string name = loss;
    CHECK(value == Approx(name == "mse" ? 1e4 : name == "huber" ? 198 : name == "smooth_l1" ? 99 : 100).epsilon(0.05));
  }
}

TEST_CASE("hooks, overrides, state and the optimizer of a network are its classifier's") {
  TorchHost host;
  TorchModel model(host, hooked, {{"speed", 0.25}}, classes);
  auto& net = network_of<Hooked>(model);
  CHECK((hooked.hooks[0] & LEVIN_BIT(LEVIN_HOOK_FIT_START)) != 0);
  model.send(LEVIN_HOOK_FIT_START);
  CHECK(net.starts == 1);
  CHECK(model.send(LEVIN_HOOK_TRAIN_BATCH_START) == LEVIN_SKIP);
  const Planned planned = model.configure_optimizers();
  REQUIRE(planned.optimizers.size() == 1);
  CHECK(planned.optimizers[0].name == "sgd");
  CHECK(planned.optimizers[0].options == "{\"lr\":0.25}");
  CHECK(planned.optimizers[0].groups == std::vector<std::vector<std::string>>{{"*bias"}});
  CHECK_FALSE(has_option(hooked, "optimizer"));
  CHECK_FALSE(has_option(hooked, "lr"));
  const levin_optim_call call{};
  const levin_model& table = model.table<levin_model>();
  REQUIRE(table.configure_gradient_clipping);
  model.check(table.configure_gradient_clipping(model.self(), &call));
  CHECK(net.clips == 1);
  CHECK(table.on_after_batch_transfer);
  const auto* one_x = static_cast<const levin_model_1x*>(model.extension("levin.model_1x/1"));
  REQUIRE(one_x);
  CHECK(one_x->ends == 256u << LEVIN_STAGE_FIT);
  net.kept = 9;
  const levin::testing::State state = model.save();
  net.kept = 0;
  model.load(state);
  CHECK(net.kept == 9);
}

TEST_CASE("the step of a network that is a model counts instead of the task's") {
  TorchHost host;
  TorchModel model(host, own_step, {}, classes);
  model.validation_step(batch());
  CHECK(logged(host, "own") == 6);
  CHECK(logged(host, "on_cpu") == 1);
  CHECK(logged(host, "val_loss") == -1);
  CHECK(model.training_step(batch()).loss.defined());
}

TEST_CASE("what a network overrides of its base is called: to, train and zero_grad") {
  TorchHost host;
  TorchModel model(host, frozen, {}, classes);
  auto& net = network_of<foreign::Frozen>(model);
  model.mode(true);
  CHECK_FALSE(net.norm->is_training());
  const levin_model& table = model.table<levin_model>();
  model.check(table.move(model.self(), {LEVIN_CPU, 0}, levin::float32));
  CHECK(net.moves == 1);
  CHECK(net.scale.scalar_type() == at::kFloat);
  model.check(table.move(model.self(), {LEVIN_CPU, 0}, levin::float64));
  CHECK(net.moves == 3);
  CHECK(net.scale.scalar_type() == at::kDouble);
  CHECK(net.fc->weight.scalar_type() == at::kDouble);
  CHECK(net.norm->num_batches_tracked.scalar_type() == at::kLong);
  const levin_optim_call call{};
  model.check(table.optimizer_zero_grad(model.self(), &call));
  CHECK(net.clears == 1);
}

TEST_CASE("callbacks get what forward gives: a tensor, those of a tuple, or the prediction in a class") {
  TorchHost host;
  const torch::Tensor x = batch()[0];
  CHECK(TorchModel(host, held, {}, classes).forward({x}).size() == 1);
  CHECK(TorchModel(host, weighted, {}, classes).forward({x}).size() == 1);  // aux is undefined in evaluation
  CHECK(TorchModel(host, recurrent, {}, classes).forward({x}).size() == 3);
  CHECK(TorchModel(host, drawing, {}, {classes[0]}).forward({x})[0].sizes() == x.sizes());
  TorchModel model(host, held, {}, classes);
  CHECK_THROWS_WITH(model.forward({x, x}), ContainsSubstring("forward does not take 2 tensors"));
}
