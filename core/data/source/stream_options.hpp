// Rejects options that have no effect on a stream: the plugin chooses the order of its rows and is called sequentially.
#pragma once
#include "core/config/trainer/loader_options.hpp"
#include "core/data/source/loader_place.hpp"

namespace levin::core {

// Throws Error{usage} that names an option which the user gave and which has no effect on this stream. request: the
// options as changed by the data module. only_streams: the run has no other loader that the option could be for.
void check_stream_options(const LoaderPlace& place, const levin_loader& request, const LoaderDefaults& options,
                          bool only_streams);

}  // namespace levin::core
