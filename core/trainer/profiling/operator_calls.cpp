#include "core/trainer/profiling/operator_calls.hpp"

#include <ATen/record_function.h>

#include "core/abi/breadcrumb.hpp"

namespace levin::core {
namespace {

Breadcrumb call_of(const at::RecordFunction& f) { return {"operator", f.name()}; }

std::unique_ptr<at::ObserverContext> began(const at::RecordFunction& f) {
  if (CallListener* listener = call_listener.load(std::memory_order_relaxed)) listener->enter(call_of(f));
  return nullptr;
}

void ended(const at::RecordFunction& f, at::ObserverContext*) {
  if (CallListener* listener = call_listener.load(std::memory_order_relaxed)) listener->leave(call_of(f));
}

}  // namespace

OperatorCalls::OperatorCalls()
    : handle_(at::addGlobalCallback(at::RecordFunctionCallback(&began, &ended)
                                        .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}))) {}

OperatorCalls::~OperatorCalls() { at::removeCallback(handle_); }

}  // namespace levin::core
