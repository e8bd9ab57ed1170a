// Random numbers of a thread's own: LibTorch has one generator for all threads, from which threads that run at once
// would draw in an order that differs from run to run.
#pragma once
#include <ATen/core/Generator.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace levin::core {

// To be called once before there are threads that compute. A process that never calls it has LibTorch's own operators.
void install_thread_generators();

// As long as it lives, operators on the CPU that this thread calls without a generator draw from this one. Needs
// install_thread_generators().
class ThreadGeneratorScope {
 public:
  explicit ThreadGeneratorScope(at::Generator generator);
  ~ThreadGeneratorScope();
  ThreadGeneratorScope(const ThreadGeneratorScope&) = delete;
  ThreadGeneratorScope& operator=(const ThreadGeneratorScope&) = delete;

 private:
  at::Generator before_;
  c10::impl::IncludeDispatchKeyGuard included_;
};

}  // namespace levin::core
