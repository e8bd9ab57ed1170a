// What a stream cannot do: the plugin decides on the order of its rows, and one call follows the other.
#pragma once
#include "core/config/trainer/loader_options.hpp"
#include "core/data/source/loader_place.hpp"

namespace levin::core {

// Throws Error{usage} that names an option which the user gave and which has no effect on this stream. `request` is
// what the data module made of the options. only_streams: the run has no other loaders, for which an option could be.
void check_stream_options(const LoaderPlace& place, const levin_loader& request, const LoaderDefaults& options,
                          bool only_streams);

}  // namespace levin::core
