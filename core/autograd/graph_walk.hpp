// Calls the nodes of an autograd graph on the calling thread, in the order of LibTorch's engine: of the nodes that have
// all their gradients, the one created last.
#pragma once
#include <c10/util/flat_hash_map.h>
#include <torch/csrc/autograd/function.h>

#include <cstdint>
#include <typeinfo>
#include <vector>

namespace levin::core {

class GraphWalk {
 public:
  // Returns false if the graph needs LibTorch's engine. No node has been called then.
  bool plan(torch::autograd::Node& root);
  // Calls the nodes of the planned graph. `gradient` belongs to this output of the root.
  void run(uint32_t output, at::Tensor gradient, bool retain_graph);
  // Releases the gradients that nodes have not consumed.
  void clear();

 private:
  struct Visit {
    torch::autograd::Node* node;  // kept alive by the edges from the root
    uint64_t sequence_nr;
    bool is_leaf;
    uint32_t missing = 0;     // edges whose gradient has not arrived
    uint32_t first_edge = 0;  // in targets_
    torch::autograd::variable_list gradients;
  };
  static constexpr uint32_t nowhere = UINT32_MAX;

  uint32_t find_or_add(torch::autograd::Node& node);
  bool is_plain(torch::autograd::Node& node);
  // Adds a gradient to an input of a node. Returns true if it was the last one that the node waits for.
  static bool arrive(Visit& visit, uint32_t input, at::Tensor gradient);

  std::vector<Visit> visits_;
  std::vector<uint32_t> targets_;  // the visit that each edge leads to
  std::vector<uint32_t> ready_;    // heap, as in the engine
  ska::flat_hash_map<const torch::autograd::Node*, uint32_t> index_;
  ska::flat_hash_map<const std::type_info*, bool> plain_types_;
};

}  // namespace levin::core
