// The loops for processors with AVX-512. Only this file is compiled for them.
#ifdef __AVX512F__
#include "core/kernels/vectors/loops.hpp"

namespace levin::core {

const VectorLoops* avx512_loops() { return &loops; }

}  // namespace levin::core
#endif
