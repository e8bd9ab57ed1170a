// Sizes that no machine could hold, told before anybody asks for the memory.
#pragma once
#include "core/data/source/loader_place.hpp"

namespace levin::core {

// Throws Error{usage} if a batch of so many rows needs more than the machine's memory.
void check_batch_memory(const LoaderPlace& place, int64_t rows);
// Throws Error{plugin} if the order of the rows of an epoch does.
void check_order_memory(const LoaderPlace& place, int64_t rows);

}  // namespace levin::core
