// Modules of LibTorch, callbacks and data modules of a program.
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>

#include <cmath>

#include "trainer_library/error_of.hpp"
#include "trainer_library/line.hpp"

namespace {

struct Plain : torch::nn::Module {
  torch::nn::Linear layer;
  explicit Plain(int64_t in) : layer(register_module("layer", torch::nn::Linear(in, 1))) {}
  torch::Tensor forward(const torch::Tensor& x) { return layer->forward(x).squeeze(1); }
};

class Counter : public levin::Callback {
 public:
  explicit Counter(int limit) : limit_(limit) {}
  levin::Status on_train_batch_end(const levin::Event& event) {
    saw_run = event.run().max_epochs() > 0 && !name().empty() && host() != nullptr;
    return ++steps < limit_ ? LEVIN_OK : LEVIN_STOP;
  }
  void save(const levin::Writer& writer) const { writer.put("steps", steps); }
  void load(const levin::Reader& reader) { reader.get("steps", steps); }
  int steps = 0;
  bool saw_run = false;

 private:
  int limit_;
};

class Squares : public levin::DataModule {
 public:
  explicit Squares(int64_t rows) : rows_(rows) {}
  std::vector<levin::Field> fields() const {
    levin::Field y = levin::input("y", levin::float32, {});
    y.role = LEVIN_ROLE_TARGET;
    return {levin::input("x", levin::float32, {2}), y};
  }
  int64_t rows(levin::Split split) const { return split == levin::Split::predict ? 0 : rows_; }
  void get(levin::Split, int64_t index, levin::Row& row) {
    ++calls;
    const auto x = static_cast<float>(index) / static_cast<float>(rows_);
    auto* input = row.data<float>("x");
    input[0] = x;
    input[1] = -x;
    *row.data<float>("y") = 3 * x;
  }
  int calls = 0;

 private:
  int64_t rows_;
};

}  // namespace

TEST_CASE("a plain module is trained as regression, with options") {
  const TempFolder folder;
  const Rows train(64), val(16, 2);
  Plain net(2);
  levin::Trainer trainer(options(folder));
  levin::Regression model(net, {{"optimizer", "sgd"}, {"lr", 0.1}, {"loss", "huber"}});
  const levin::RunMetrics metrics = trainer.fit(model, {train.x, train.y}, {val.x, val.y});
  CHECK(metrics.at("val_mae") < 0.4);
  CHECK(trainer.validate(model, {val.x, val.y}).at("val_loss") == Approx(metrics.at("val_loss")));
  trainer.save_checkpoint(folder.file("plain.ckpt"));
  Plain other(2);
  const auto loaded = trainer.test(levin::Regression(other), {val.x, val.y}, folder.file("plain.ckpt"));
  CHECK(loaded.at("test_mae") == Approx(metrics.at("val_mae")));
  CHECK(torch::equal(other.layer->weight, net.layer->weight));
}

TEST_CASE("a holder is trained as classification, and may be the argument of fit alone") {
  const TempFolder folder;
  const Rows train(64);
  const torch::Tensor classes = (train.y > 0).to(torch::kLong) + 1;  // of three classes, one has no row
  torch::nn::Sequential net(torch::nn::Linear(2, 8), torch::nn::ReLU(), torch::nn::Linear(8, 3));
  levin::Trainer trainer(options(folder));
  trainer.fit(levin::Classification(net, 3, {{"optimizer", "adam"}, {"lr", 0.05}, {"metrics", "f1"}}),
              {train.x, classes});
  const auto metrics = trainer.test(levin::Classification(net, 3, {{"metrics", "f1"}}), {train.x, classes});
  CHECK(metrics.at("test_acc") > 0.8);
  CHECK(metrics.count("test_f1") == 1);
  CHECK(trainer.predict(levin::Classification(net.ptr(), 3), {train.x})[0].scalar_type() == torch::kLong);
}

TEST_CASE("loss and optimizer of a plain module are functions") {
  const TempFolder folder;
  const Rows train(64);
  Plain net(2);
  int losses = 0;
  levin::Regression model(net);
  model.loss = [&](const torch::Tensor& y, const torch::Tensor& target) {
    ++losses;
    return (y - target).abs().mean() * 2;
  };
  model.configure_optimizers = [](levin::OptimPlan& plan) { plan.optimizer("adam", {{"lr", 0.05}}); };
  levin::Trainer trainer(options(folder));
  const auto metrics = trainer.fit(model, {train.x, train.y}, {train.x, train.y});
  CHECK(losses == 3 * 8 * 2 + 2);  // of training, of validation, and of two batches before the training
  CHECK(metrics.at("val_loss") == Approx(2 * metrics.at("val_mae")));
}

TEST_CASE("a wrong option of a plain module is refused with the names that there are") {
  const TempFolder folder;
  const Rows train(64);
  Plain net(2);
  const auto refused = error_of([&] {
    levin::Trainer(options(folder)).fit(levin::Regression(net, {{"learning_rat", 0.1}}), {train.x, train.y});
  });
  CHECK(refused.kind() == levin::ErrorKind::usage);
  CHECK_THAT(refused.what(), ContainsSubstring("options of the program's model: model.learning_rat"));
}

TEST_CASE("a callback of the program is called, stops the run, and keeps its state in the checkpoint") {
  const TempFolder folder;
  const Rows train(64);
  Line model;
  Counter ten(10), many(1000);
  levin::Trainer trainer(options(folder));
  trainer.add_callback(ten).add_callback(many);
  trainer.fit(model, {train.x, train.y});
  CHECK(ten.steps == 10);
  CHECK(many.steps == 10);
  CHECK(ten.saw_run);
  CHECK(ten.host() == nullptr);
  trainer.save_checkpoint(folder.file("ten.ckpt"));
  Counter again(1000), other(1000);
  levin::Trainer resumed(options(folder));
  resumed.add_callback(again).add_callback(other);
  Line second;
  resumed.fit(second, {train.x, train.y}, {}, folder.file("ten.ckpt"));
  CHECK(again.steps == 24);
  CHECK(other.steps == 24);
}

TEST_CASE("a data module of the program gives the rows of each split") {
  const TempFolder folder;
  Plain net(2);
  Squares squares(32);
  levin::Trainer trainer(options(folder));
  const auto metrics = trainer.fit(levin::Regression(net, {{"lr", 0.2}}), squares);
  CHECK(metrics.count("val_loss") == 1);
  CHECK(squares.calls > 0);
  CHECK(squares.host() == nullptr);
  CHECK(trainer.test(levin::Regression(net), squares).count("test_mae") == 1);
}
