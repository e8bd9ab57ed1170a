// The loops for processors with AVX2 and FMA. Only this file is compiled for them.
#ifdef __AVX2__
#define VECTOR_BYTES 32
#define TILE_ROWS 6
#define TILES 1, 2, 3, 4, 5, 6
#include "core/kernels/vectors/loops.hpp"

namespace levin::core {

const VectorLoops* avx2_loops() { return &loops; }

}  // namespace levin::core
#endif
