// The arithmetic of reductions over ranks, on plain memory.
#pragma once
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <vector>

namespace levin::core {

enum class NodeReduction : int32_t { sum, mean, min, max };
const char* name_of(NodeReduction reduction);

// Returns true if elements of this type can be reduced with this operation. A mean needs a floating-point type.
bool can_reduce(c10::ScalarType type, NodeReduction reduction);

// out[i] = inputs[0][i] (op) inputs[1][i] (op) ..., in this order, for `count` elements. Half types are added in float
// and rounded once. min and max of a NaN are NaN; the sum of bools is their logical or. `out` may be one of the inputs.
// Results are bit-identical on all processors and for any split into parts. Does nothing if can_reduce() is false.
void reduce_into(void* out, const std::vector<const void*>& inputs, int64_t count, c10::ScalarType type,
                 NodeReduction reduction);

}  // namespace levin::core
