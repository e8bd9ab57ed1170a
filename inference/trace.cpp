#include "inference/trace.hpp"

#include <ATen/record_function.h>
#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace levin::core {
namespace {

// A module is saved as code, in which these names are keywords. Such a name gets an underscore at its end.
constexpr const char* reserved_words[] = {"False",  "None",   "True",    "and",      "as",       "assert", "async",
                                          "await",  "break",  "class",   "continue", "def",      "del",    "elif",
                                          "else",   "except", "finally", "for",      "from",     "global", "if",
                                          "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
                                          "pass",   "raise",  "return",  "try",      "while",    "with",   "yield"};

std::string attribute_name(const std::string& path) {
  std::string name = path.substr(path.rfind('.') + 1);
  for (const char* word : reserved_words)
    if (name == word) return name + "_";
  return name;
}

std::string parent_of(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

// The modules of a TorchScript file: parameters and buffers in nested modules, according to the dots in their names.
class ScriptModules {
 public:
  ScriptModules() : unit_(std::make_shared<torch::jit::CompilationUnit>()), root_(made("Model")) {}
  void add(const NamedTensor& tensor, bool is_buffer) {
    module(parent_of(tensor.name)).register_parameter(attribute_name(tensor.name), tensor.tensor, is_buffer);
  }
  torch::jit::Module& root() { return root_; }

 private:
  torch::jit::Module made(const std::string& type) {
    torch::jit::Module out(c10::QualifiedName("__torch__.levin." + type), unit_, /*shouldMangle=*/true);
    out.register_attribute("training", c10::BoolType::get(), false);  // needed by eval()
    return out;
  }
  torch::jit::Module module(const std::string& path) {
    if (path.empty()) return root_;
    const auto known = modules_.find(path);
    if (known != modules_.end()) return known->second;
    torch::jit::Module parent = module(parent_of(path)), child = made("Part");
    parent.register_module(attribute_name(path), child);
    modules_.emplace(path, child);
    return child;
  }

  std::shared_ptr<torch::jit::CompilationUnit> unit_;
  torch::jit::Module root_;
  std::map<std::string, torch::jit::Module> modules_;
};

thread_local bool read_a_value = false;

// Returns true if the value is computed from an input of the graph other than the module, whose weights are constant.
bool comes_from_input(const torch::jit::Value* value, torch::jit::Graph& graph) {
  std::set<const torch::jit::Value*> seen;
  std::vector<const torch::jit::Value*> open = {value};
  while (!open.empty()) {
    const torch::jit::Value* next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    if (next->node() == graph.param_node() && next != graph.inputs().at(0)) return true;
    for (const torch::jit::Value* input : next->node()->inputs()) open.push_back(input);
  }
  return false;
}

std::unique_ptr<at::ObserverContext> look(const at::RecordFunction& call) {
  const auto& state = torch::jit::tracer::getTracingState();
  if (!state || std::strcmp(call.name(), "aten::_local_scalar_dense") != 0 || call.inputs().empty()) return nullptr;
  const c10::IValue& tensor = call.inputs().front();
  if (state->hasValue(tensor) && comes_from_input(state->getValue(tensor), *state->graph)) read_a_value = true;
  return nullptr;
}

// Detects on the current thread that traced code reads numbers from its input, by item() or a condition on a tensor.
// What the code does with these numbers is not in the trace. Only one object may exist at a time.
class ValueReads {
 public:
  ValueReads()
      : handle_(at::addThreadLocalCallback(
            at::RecordFunctionCallback(&look).needsInputs(true).scopes({at::RecordScope::FUNCTION}))) {
    read_a_value = false;
  }
  ~ValueReads() { at::removeCallback(handle_); }
  ValueReads(const ValueReads&) = delete;
  ValueReads& operator=(const ValueReads&) = delete;
  bool any() const { return read_a_value; }

 private:
  at::CallbackHandle handle_;
};

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
