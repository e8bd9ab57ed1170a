#include "inference/trace.hpp"

#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <string>

#include "inference/script_modules.hpp"
#include "inference/value_reads.hpp"

namespace levin::core {
namespace {

std::vector<torch::jit::Node*> constants(torch::jit::Graph& graph) {
  std::vector<torch::jit::Node*> out;
  for (torch::jit::Node* node : graph.nodes())
    if (node->kind() == c10::prim::Constant) out.push_back(node);
  return out;
}

// A forward in C++ reads sizes as plain numbers, x.size(0), which become constants of the trace.
void replace_rows(torch::jit::Graph& graph, int64_t rows) {
  const std::vector<torch::jit::Node*> found = constants(graph);
  torch::jit::WithInsertPoint at_the_start(*graph.nodes().begin());
  torch::jit::Value* n = graph.insert(c10::aten::size, {graph.inputs().at(1), graph.insertConstant(0)});
  for (torch::jit::Node* constant : found) {
    const auto value = torch::jit::toIValue(constant->output());
    if (!value || !value->isInt() || value->toInt() <= 0 || value->toInt() % rows != 0) continue;
    const int64_t times = value->toInt() / rows;
    constant->output()->replaceAllUsesWith(times == 1 ? n
                                                      : graph.insert(c10::aten::mul, {n, graph.insertConstant(times)}));
  }
}

bool names_device(torch::jit::Graph& graph) {
  for (torch::jit::Node* constant : constants(graph))
    if (constant->output()->hasUses() && constant->output()->type()->kind() == c10::TypeKind::DeviceObjType)
      return true;
  return false;
}

torch::jit::Stack stack_of(const std::vector<at::Tensor>& tensors) { return {tensors.begin(), tensors.end()}; }

}  // namespace

c10::IValue packed(const std::vector<at::Tensor>& tensors) {
  if (tensors.size() == 1) return tensors.front();
  return c10::ivalue::Tuple::create(std::vector<c10::IValue>(tensors.begin(), tensors.end()));
}

std::vector<at::Tensor> unpacked(const c10::IValue& value) {
  if (value.isTensor()) return {value.toTensor()};
  std::vector<at::Tensor> out;
  for (const c10::IValue& element : value.toTuple()->elements()) out.push_back(element.toTensor());
  return out;
}

Trace trace_forward(LoadedModel& model, const std::vector<at::Tensor>& inputs, bool any_rows) {
  ScriptModules modules;
  for (const NamedTensor& t : model.model().parameters()) modules.add(t, /*is_buffer=*/false);
  for (const NamedTensor& t : model.model().buffers()) modules.add(t, /*is_buffer=*/true);
  torch::jit::Module root = modules.root();
  const auto forward = [&model](const torch::jit::Stack& in) {
    std::vector<at::Tensor> given;
    for (const c10::IValue& value : in) given.push_back(value.toTensor());
    return torch::jit::Stack{packed(model.forward(given))};
  };
  const auto no_name = [](const at::Tensor&) { return std::string(); };
  const ValueReads reads;
  const auto result = torch::jit::tracer::trace(stack_of(inputs), forward, no_name, /*strict=*/true,
                                                /*force_outplace=*/false, &root);
  const auto graph = result.first->graph;
  if (any_rows) replace_rows(*graph, inputs.at(0).size(0));
  torch::jit::EliminateDeadCode(graph);
  const auto function =
      root._ivalue()->compilation_unit()->create_function(c10::QualifiedName(*root.type()->name(), "forward"), graph);
  root.type()->addMethod(function);
  return {root, reads.any(), names_device(*graph)};
}

}  // namespace levin::core
