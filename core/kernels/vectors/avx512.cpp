// The loops for processors with AVX-512. Only this file is compiled for them.
#ifdef __AVX512F__
#define VECTOR_BYTES 64
#define TILE_ROWS 12
#define TILES 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
#include "core/kernels/vectors/loops.hpp"

namespace levin::core {

const VectorLoops* avx512_loops() { return &loops; }

}  // namespace levin::core
#endif
