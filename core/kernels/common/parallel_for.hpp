// Loops over LibTorch's threads, with any OpenMP library. at::parallel_for is a template, which runs serially in files
// that are not compiled with -fopenmp, and that would bring a second OpenMP beside LibTorch's.
#pragma once
#include <c10/util/C++17.h>  // FunctionRef.h needs it
#include <c10/util/FunctionRef.h>

#include <cstdint>

namespace levin::core {

// Calls f(begin, end) for ranges that cover [0, total): on several threads if there are more than `grain` of them, with
// at most one range a thread. An exception of f is thrown here. Within a parallel region, f(0, total).
void parallel_for(int64_t total, int64_t grain, c10::function_ref<void(int64_t begin, int64_t end)> f);

}  // namespace levin::core
