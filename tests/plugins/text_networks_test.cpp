// lstm and gpt as classifiers of whole texts: what stands behind a row's end has no effect.
#include "levin/torch.hpp"

#include "catch.hpp"
#include "levin/testing/torch.hpp"

using levin::testing::Options;
using levin::testing::TorchHost;
using levin::testing::TorchModel;

namespace {

const Options lstm_options = {{"layers", 1}, {"hidden", 12}, {"dropout", 0}};
const Options gpt_options = {{"layers", 1}, {"hidden", 12}, {"dropout", 0}, {"heads", 2}};

// Rows of at most 6 of 8 tokens; length: -1 if it differs from batch to batch.
std::vector<levin::Field> texts(int64_t length) {
  levin::Field x = levin::input("x", levin::int64, {length});
  x.classes = 8;
  return {x, {"mask", levin::uint8, {length}, LEVIN_ROLE_OTHER, 0, {}}, levin::target("y", 3)};
}
TorchModel model_of(TorchHost& host, const char* network, const std::vector<levin::Field>& fields) {
  return {host, network, std::string(network) == "gpt" ? gpt_options : lstm_options, fields};
}
torch::Tensor probabilities(TorchModel& model, const std::vector<torch::Tensor>& batch) {
  for (const auto& [name, tensor] : model.predict_step(batch).extras)
    if (name == "probabilities") return tensor;
  return {};
}
std::string refusal(const char* network, const std::vector<levin::Field>& fields) {
  TorchHost host;
  try {
    model_of(host, network, fields);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a padded text has the scores that it has alone, and without a mask each position counts") {
  const char* network = GENERATE("lstm", "gpt");
  INFO(network);
  torch::manual_seed(1);
  TorchHost host;
  TorchModel model = model_of(host, network, texts(6));
  const torch::Tensor x = torch::randint(0, 8, {2, 6}, torch::kLong), y = torch::zeros({2}, torch::kLong);
  torch::Tensor mask = torch::ones({2, 6}, torch::kByte);
  const torch::Tensor whole = probabilities(model, {x, mask, y});
  CHECK(whole.sizes() == at::IntArrayRef({2, 3}));
  mask[0].slice(0, 3) = 0;
  const torch::Tensor padded = probabilities(model, {x, mask, y});
  CHECK(padded[1].allclose(whole[1]));
  CHECK_FALSE(padded[0].allclose(whole[0]));
  const std::vector<torch::Tensor> alone = {x.slice(0, 0, 1).slice(1, 0, 3), torch::ones({1, 3}, torch::kByte),
                                            y.slice(0, 0, 1)};
  CHECK(padded[0].allclose(probabilities(model, alone)[0], 1e-4, 1e-6));
  CHECK(model.forward({x}).at(0).softmax(1).allclose(whole, 1e-4, 1e-6));
  CHECK(model.forward({x, mask}).at(0).softmax(1).allclose(padded, 1e-4, 1e-6));
}

TEST_CASE("texts of any length are told apart by their first token") {
  const char* network = GENERATE("lstm", "gpt");
  INFO(network);
  torch::manual_seed(1);
  TorchHost host;
  TorchModel model = model_of(host, network, texts(6));
  const torch::Tensor x = torch::randint(0, 8, {32, 6}, torch::kLong);
  const torch::Tensor length = torch::randint(1, 7, {32, 1}, torch::kLong);
  const std::vector<torch::Tensor> batch = {x, torch::arange(6).lt(length).to(torch::kByte), x.select(1, 0) % 3};
  const double before = model.training_step(batch).loss.item<double>();
  double loss = before;
  for (int i = 0; i < 400; ++i) loss = model.learn(batch, 0.5);
  CHECK(loss < 0.5 * before);
}

TEST_CASE("a text network says what it needs") {
  CHECK(refusal("lstm", texts(-1)) == "accepted");
  CHECK_THAT(refusal("gpt", texts(-1)), ContainsSubstring("give --data.padding max_length"));
  const std::vector<levin::Field> numbers = {levin::input("x", levin::float32, {6}), levin::target("y", 3)};
  for (const char* network : {"lstm", "gpt"})
    CHECK_THAT(refusal(network, numbers),
               ContainsSubstring(std::string(network) + " needs sequences of tokens") &&
                   ContainsSubstring("field 'x' of the data has the shape [6] without classes, and 'y' []"));
}
