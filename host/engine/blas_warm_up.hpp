// A product of two small matrices, after which LibTorch's libraries have the memory that they keep.
#pragma once

namespace levin::core {

// Under a limit on memory it may wait for ever: `host` tries it in another process first, which leaves room for what
// the run needs more.
void warm_up_blas();
// Multiplies where the address space is limited, before plugins take memory.
void multiply_under_limit();

}  // namespace levin::core
