#include "inference/value_reads.hpp"

#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/ir/ir.h>

#include <cstring>
#include <memory>
#include <set>
#include <vector>

namespace levin::core {
namespace {

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

}  // namespace

ValueReads::ValueReads()
    : handle_(at::addThreadLocalCallback(
          at::RecordFunctionCallback(&look).needsInputs(true).scopes({at::RecordScope::FUNCTION}))) {
  read_a_value = false;
}

ValueReads::~ValueReads() { at::removeCallback(handle_); }

bool ValueReads::any() const { return read_a_value; }

}  // namespace levin::core
