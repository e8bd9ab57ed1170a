// The threads that LibTorch and OpenBLAS compute with.
#pragma once

namespace levin::core {

// For this thread and for threads that have not computed yet.
void set_compute_threads(int threads);

}  // namespace levin::core
