// Rules of batches: their size, truncated splits in time, and the rows of each process.
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <numeric>

#include "conformance/harness/numbers.hpp"
#include "conformance/registry.hpp"
#include "core/data/sampler.hpp"
#include "core/data/source/batch.hpp"
#include "core/data/tbptt_split.hpp"
#include "core/loops/optimization/accumulation.hpp"

namespace conformance {
namespace {

namespace core = levin::core;

// Collects the tensors of a tree depth first, in the order written. This is how the host represents a batch.
void collect(const ordered_json& tree, std::vector<at::Tensor>& out) {
  if (tree.contains("tensor")) out.push_back(at::zeros(tree.at("tensor").get<std::vector<int64_t>>()));
  for (const ordered_json& item : tree.value("list", ordered_json::array())) collect(item, out);
  const ordered_json map = tree.value("map", ordered_json::object());
  for (const auto& [key, item] : map.items()) collect(item, out);
}

Outcome run_batch_size_extract(const Case& c) {
  std::vector<at::Tensor> tensors;
  collect(c.written.at("batch"), tensors);
  Outcome out;
  out.seen = {{"batch_size", core::batch_size_of(tensors)}};
  return out;
}

// Converts nested lists to a tensor; the nesting depth is the number of dimensions.
at::Tensor tensor_of(const json& lists) {
  if (!lists.is_array()) return at::scalar_tensor(lists.get<float>());
  std::vector<at::Tensor> items;
  for (const json& item : lists) items.push_back(tensor_of(item));
  return items.empty() ? at::zeros({0, 0}) : at::stack(items);
}

json lists_of(const at::Tensor& tensor) {
  if (tensor.dim() == 0) return tensor.item<float>();
  json lists = json::array();
  for (int64_t i = 0; i < tensor.size(0); ++i) lists.push_back(lists_of(tensor[i]));
  return lists;
}

Outcome run_tbptt_split(const Case& c) {
  std::vector<at::Tensor> batch;
  for (const json& rows : c.inputs.at("batch")) batch.push_back(tensor_of(rows));
  json splits = json::array();
  for (const auto& split : core::tbptt_split(batch, c.inputs.at("truncated_bptt_steps"))) {
    splits.push_back(json::array());
    for (const at::Tensor& t : split) splits.back().push_back(lists_of(t));
  }
  Outcome out;
  out.seen = {{"splits", splits}};
  return out;
}

Outcome run_distributed_sampler(const Case& c) {
  Outcome out;
  if (c.inputs.at("shuffle").get<bool>()) {
    out.not_applicable = "shuffled orders come from Levin's own generator, the same on every LibTorch";
    return out;
  }
  json indices = json::array();
  const int world_size = c.inputs.at("world_size");
  for (int rank = 0; rank < world_size; ++rank) {
    std::vector<int64_t> order;
    core::SequentialSampler().order(c.inputs.at("len"), 0, order);
    core::take_share(order, {rank, world_size, c.inputs.at("drop_last"), c.inputs.at("sampler") == "distributed"});
    indices.push_back(order);
  }
  out.seen = {{"indices_per_rank", indices}};
  return out;
}

Outcome run_estimated_steps(const Case& c) {
  core::Share share;
  share.world_size = c.inputs.at("world_size");
  const int64_t size = c.inputs.at("batch_size");
  const int64_t rows = core::share_size(c.inputs.at("dataset_len"), share);
  const auto steps =
      core::estimated_stepping_batches((rows + size - 1) / size, 1, c.inputs.at("max_epochs"), /*max_steps=*/-1);
  Outcome out;
  out.seen = {{"estimated_stepping_batches", steps ? json(*steps) : json("Infinity")}};
  return out;
}

const SuiteEntry batch_size_extract("batch_size_extract", &run_batch_size_extract);
const SuiteEntry tbptt_split("tbptt_split", &run_tbptt_split);
const SuiteEntry distributed_sampler("distributed_sampler", &run_distributed_sampler);
const SuiteEntry estimated_steps("estimated_stepping_batches_rule", &run_estimated_steps);

}  // namespace
}  // namespace conformance
