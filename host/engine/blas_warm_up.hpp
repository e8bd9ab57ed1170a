// Multiplies two small matrices, so that LibTorch's libraries allocate the memory that they keep.
#pragma once

namespace levin::core {

// Under a memory limit the product may wait forever, so `host` tries this function in a separate process first. It
// allocates extra memory as a reserve for the run.
void warm_up_blas();
// Multiplies only if the address space is limited. Call it before plugins allocate memory.
void multiply_under_limit();

}  // namespace levin::core
