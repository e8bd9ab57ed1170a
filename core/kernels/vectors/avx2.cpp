// The loops for processors with AVX2 and FMA. Only this file is compiled for them.
#ifdef __AVX2__
#include "core/kernels/vectors/loops.hpp"

namespace levin::core {

const VectorLoops* avx2_loops() { return &loops; }

}  // namespace levin::core
#endif
