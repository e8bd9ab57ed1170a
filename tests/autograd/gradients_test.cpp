// core::backward() computes the bits that LibTorch's engine computes.
#include <thread>

#include "catch.hpp"
#include "core/abi/torch_compat.hpp"
#include "core/autograd/backward.hpp"
#include "graphs.hpp"

namespace {

// The loss of a network, and its parameters as leaves.
void check_network(const std::function<at::Tensor(Tensors&)>& build) {
  check_gradients([&] {
    torch::manual_seed(3);
    Graph graph;
    graph.loss = build(graph.leaves);
    REQUIRE(is_walked(graph.loss));
    return graph;
  });
}

at::Tensor convolutions(Tensors& leaves, at::MemoryFormat format) {
  torch::nn::Sequential net(torch::nn::Conv2d(3, 5, 3), torch::nn::BatchNorm2d(5), torch::nn::ReLU(),
                            torch::nn::MaxPool2d(2), torch::nn::Dropout(0.5), torch::nn::Flatten(),
                            torch::nn::Linear(45, 4));
  leaves = net->parameters();
  const at::Tensor images = torch::randn({6, 3, 8, 8}).contiguous(format);
  return torch::cross_entropy_loss(net->forward(images), torch::arange(6) % 4);
}

at::Tensor encoder(Tensors& leaves) {
  torch::nn::TransformerEncoderLayer layer(torch::nn::TransformerEncoderLayerOptions(8, 2).dim_feedforward(16));
  leaves = layer->parameters();
  return layer->forward(torch::randn({5, 2, 8})).pow(2).mean();
}

}  // namespace

TEST_CASE("gradients of random graphs are those of the engine, bit for bit") {
  int walked = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    walked += is_walked(random_graph(seed).loss);
    check_gradients([&] { return random_graph(seed); });
    if (seed % 4 == 0) check_gradients_of_two_backwards([&] { return random_graph(seed); });
  }
  CHECK(walked == 400);
}

TEST_CASE("gradients of networks are those of the engine, bit for bit") {
  check_network([](Tensors& leaves) { return convolutions(leaves, at::MemoryFormat::Contiguous); });
  check_network([](Tensors& leaves) { return convolutions(leaves, at::MemoryFormat::ChannelsLast); });
  check_network([](Tensors& leaves) {
    torch::nn::LSTM lstm(torch::nn::LSTMOptions(4, 6).num_layers(2));
    leaves = lstm->parameters();
    return std::get<0>(lstm->forward(torch::randn({5, 2, 4}))).pow(2).mean();
  });
  check_network(encoder);
  check_network([](Tensors& leaves) {
    const levin::core::AutocastGuard autocast(at::kCPU, at::kBFloat16);
    return encoder(leaves);
  });
}

TEST_CASE("sparse gradients are added to dense ones as by the engine") {
  for (const bool dense_first : {false, true})
    check_gradients([&] {
      torch::manual_seed(3);
      torch::nn::Embedding embedding(torch::nn::EmbeddingOptions(5, 3).sparse(true));
      const auto rows = torch::tensor({1, 2, 1});
      const at::Tensor dense = dense_first ? at::Tensor() : embedding->weight * 2;
      const at::Tensor found = (embedding->forward(rows) + embedding->forward(rows + 1)).pow(2).sum();
      Graph graph{{embedding->weight}, found + (dense_first ? embedding->weight * 2 : dense).sum()};
      REQUIRE(is_walked(graph.loss));
      return graph;
    });
  torch::nn::Embedding embedding(torch::nn::EmbeddingOptions(5, 3).sparse(true));
  levin::core::backward(embedding->forward(torch::tensor({1, 1})).sum(), false);
  CHECK(embedding->weight.grad().is_sparse());
  CHECK(embedding->weight.grad().to_dense().sum().item<float>() == 6);
}

TEST_CASE("gradients are added to those of an earlier backward") {
  check_gradients([] {
    torch::manual_seed(1);
    Graph graph{{leaf({3, 3})}, {}};
    levin::core::backward((graph.leaves[0] * 3).sum(), false);
    graph.loss = torch::tanh(graph.leaves[0]).sum();
    return graph;
  });
}

TEST_CASE("a deep graph needs no deep stack") {
  check_gradients([] {
    torch::manual_seed(1);
    Graph graph{{leaf({2})}, {}};
    at::Tensor value = graph.leaves[0];
    for (int i = 0; i < 50000; ++i) value = value + graph.leaves[0];
    graph.loss = value.sum();
    return graph;
  });
}

TEST_CASE("threads compute their graphs at the same time") {
  std::vector<Graph> graphs;
  std::vector<Graph> expected;
  for (unsigned seed = 0; seed < 8; ++seed) {
    graphs.push_back(random_graph(seed));
    expected.push_back(random_graph(seed));
    expected.back().loss.backward();
  }
  std::vector<std::thread> threads;
  for (const Graph& graph : graphs) threads.emplace_back([&graph] { levin::core::backward(graph.loss, false); });
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < graphs.size(); ++i)
    for (size_t k = 0; k < graphs[i].leaves.size(); ++k)
      CHECK(same_bits(graphs[i].leaves[k].grad(), expected[i].leaves[k].grad()));
}
