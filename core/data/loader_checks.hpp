// Checks of a loader's options: against streams, against the number of processes, and against the machine's memory.
#pragma once
#include <memory>
#include <vector>

#include "core/config/trainer/host_options.hpp"
#include "core/config/trainer/trainer_enums.hpp"
#include "core/data/loader.hpp"

namespace levin::core {

// Throws Error{usage} that names an option which the user gave and which has no effect on this stream. request: the
// options as changed by the data module. only_streams: the run has no other loader that the option could be for.
void check_stream_options(const LoaderPlace& place, const levin_loader& request, const LoaderDefaults& options,
                          bool only_streams);

// Throws Error{usage} if the user gave data.bucket_by_length and it has no effect on these rows. has_lengths: the data
// module gives the lengths of its rows, which differ.
void check_buckets(const LoaderPlace& place, const LoaderDefaults& options, bool has_lengths);

// Throws Error{usage} for a stream with trainer.pad_evaluation and several processes: a stream's rows cannot be
// repeated.
void check_padding(const LoaderPlace& place, const Share& share);
// Throws Error{usage} if combined_mode 'max_size_cycle' includes a loader without a batch for some process: that
// process could not cycle through it and would drop the other loaders' batches.
void check_cycle(const DataModule& data, uint32_t split, CombinedMode mode,
                 const std::vector<std::unique_ptr<Loader>>& loaders);

// Throws Error{usage} if a batch of `rows` rows needs more than the machine's memory.
void check_batch_memory(const LoaderPlace& place, int64_t rows);
// Throws Error{plugin} if the order of an epoch's rows needs more than the machine's memory.
void check_order_memory(const LoaderPlace& place, int64_t rows);

}  // namespace levin::core
