// Graphs whose gradients LibTorch's engine and core::backward() compute.
#pragma once
#include <torch/torch.h>

#include <functional>
#include <string>
#include <vector>

using Tensors = std::vector<at::Tensor>;

struct Graph {
  Tensors leaves;
  at::Tensor loss;
};

// A random graph of float and double tensors: shared subexpressions, leaves used several times or frozen, views,
// changes in place, broadcasts, casts, operators with several results, and parts without gradient. The same seed gives
// the same graph.
Graph random_graph(unsigned seed);

// Returns true if core::backward() does not leave the graph to the engine.
bool is_walked(const at::Tensor& loss);

// Returns true if both are undefined, or have the same shape, strides, dtype and bits.
bool same_bits(const at::Tensor& a, const at::Tensor& b);

// Makes two graphs, computes the gradients of one by the engine, of the other by core::backward(), and compares them.
void check_gradients(const std::function<Graph()>& make);
// The same with two backwards through each graph.
void check_gradients_of_two_backwards(const std::function<Graph()>& make);

at::Tensor leaf(at::IntArrayRef shape);
std::string error_of(const std::function<void()>& call);
