// Detects sizes beyond the machine's memory before anything is allocated.
#pragma once
#include "core/data/source/loader_place.hpp"

namespace levin::core {

// Throws Error{usage} if a batch of `rows` rows needs more than the machine's memory.
void check_batch_memory(const LoaderPlace& place, int64_t rows);
// Throws Error{plugin} if the order of an epoch's rows needs more than the machine's memory.
void check_order_memory(const LoaderPlace& place, int64_t rows);

}  // namespace levin::core
