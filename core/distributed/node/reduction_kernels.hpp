// The arithmetic of reductions over ranks, on plain memory.
#pragma once
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <vector>

namespace levin::core {

enum class NodeReduction : int32_t { sum, mean, min, max };
const char* name_of(NodeReduction reduction);

// Whether elements of this type can be reduced so: a mean is for floating-point numbers.
bool can_reduce(c10::ScalarType type, NodeReduction reduction);

// out[i] = inputs[0][i] (op) inputs[1][i] (op) ..., in this order, for `count` elements. The half types are added in
// float and rounded once. min and max of a NaN are NaN; the sum of bools is "any of them". `out` may be one of the
// inputs. Two processors, or two lengths of a part, never give different bits. Nothing happens if it cannot be reduced
// so.
void reduce_into(void* out, const std::vector<const void*>& inputs, int64_t count, c10::ScalarType type,
                 NodeReduction reduction);

}  // namespace levin::core
