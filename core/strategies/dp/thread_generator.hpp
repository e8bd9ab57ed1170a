// Random number generators per thread. LibTorch has one generator for all threads, from which concurrent threads would
// draw in an order that differs between runs.
#pragma once
#include <ATen/core/Generator.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace levin::core {

// Call it once before computing threads exist. Without this call, LibTorch's operators stay unchanged.
void install_thread_generators();

// While it exists, CPU operators that this thread calls without a generator draw from this one. Needs
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
