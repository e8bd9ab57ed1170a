// Every operator that draws random numbers has a generator argument, or calls an operator that has one. A kernel of
// these operators fills it in. It is registered for a dispatch key that nothing else uses, and that only threads with a
// ThreadGeneratorScope include.
#include "core/strategies/dp/replica_threads.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

namespace levin::core {
namespace {

constexpr auto generator_key = c10::DispatchKey::TESTING_ONLY_GenericMode;

thread_local at::Generator active_generator;

bool takes_generator(const c10::Argument& argument) {
  c10::TypePtr type = argument.type();
  if (type->kind() == c10::TypeKind::OptionalType) type = type->castRaw<c10::OptionalType>()->getElementType();
  return type->kind() == c10::TypeKind::GeneratorType;
}

// Returns true if the operator computes on a device other than the CPU, judged by its first tensor or device argument.
bool is_elsewhere(const c10::FunctionSchema& schema, const torch::jit::Stack& stack) {
  const size_t n = schema.arguments().size();
  for (size_t i = 0; i < n; ++i) {
    const c10::IValue& value = torch::jit::peek(stack, i, n);
    if (value.isTensor() && value.toTensor().defined()) return !value.toTensor().device().is_cpu();
    if (value.isDevice()) return !value.toDevice().is_cpu();
  }
  return false;
}

void with_generator(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const c10::FunctionSchema& schema = op.schema();
  const size_t n = schema.arguments().size();
  if (active_generator.defined() && !is_elsewhere(schema, *stack))
    for (size_t i = 0; i < n; ++i) {
      c10::IValue& value = torch::jit::peek(*stack, i, n);
      if (value.isNone() && takes_generator(schema.arguments()[i])) value = active_generator;
    }
  op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, generator_key), stack);
}

// The registrations stay until the process ends.
void install() {
  static auto* const all =
      new torch::Library(torch::Library::IMPL, "_", generator_key, __FILE__, static_cast<uint32_t>(__LINE__));
  all->fallback(torch::CppFunction::makeFallthrough());
  static auto* const drawing =
      new torch::Library(torch::Library::IMPL, "aten", generator_key, __FILE__, static_cast<uint32_t>(__LINE__));
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (name.name.rfind("aten::", 0) != 0) continue;
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (!op) continue;
    const auto& arguments = op->schema().arguments();
    if (std::none_of(arguments.begin(), arguments.end(), takes_generator)) continue;
    const std::string full = name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
    drawing->impl(full.c_str(), torch::CppFunction::makeFromBoxedFunction<&with_generator>());
  }
}

}  // namespace

void install_thread_generators() {
  static std::once_flag installed;
  std::call_once(installed, install);
}

ThreadGeneratorScope::ThreadGeneratorScope(at::Generator generator)
    : before_(std::exchange(active_generator, std::move(generator))), included_(generator_key) {}

ThreadGeneratorScope::~ThreadGeneratorScope() { active_generator = std::move(before_); }

}  // namespace levin::core
