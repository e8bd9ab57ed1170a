#include "core/data/loader_checks.hpp"

#include <cstdio>
#include <string>

#include "core/base/error.hpp"
#include "core/base/machine.hpp"

namespace levin::core {
namespace {

struct Rule {
  const char* option;
  bool set;  // to a value that has an effect for other loaders
  const char* why;
};

void check_request(const LoaderPlace& place, const levin_loader& request) {
  const char* asked = request.sampler != LEVIN_SAMPLER_DEFAULT ? "a sampler"
                      : request.shuffle                        ? "shuffling"
                      : request.drop_last                      ? "drop_last"
                                                               : nullptr;
  if (asked)
    throw place.error(
        ErrorCode::plugin_answer_invalid, "dataloader",
        place.text() + ": requests " + asked + "; the order and the batches of a stream come from 'next'");
}

bool too_large(double bytes) { return memory_of_machine() > 0 && bytes > memory_of_machine(); }

std::string machine_text() { return ", and this machine has " + gibibytes(memory_of_machine()); }

}  // namespace

void check_stream_options(const LoaderPlace& place, const levin_loader& request, const LoaderDefaults& options,
                          bool only_streams) {
  check_request(place, request);
  const bool training = place.split == LEVIN_TRAIN;
  const bool own_size = request.batch_size == 0;
  const char* order = "'next' chooses the order of its rows";
  const char* workers = "'next' is called on the training thread, one call after another";
  const char* sizes = "the data module chooses the sizes of its batches";
  const Rule rules[] = {
      {"shuffle", training && options.shuffle, order},
      {"drop_last", training && options.drop_last, sizes},
      {"bucket_by_length", training && options.bucket_by_length, order},
      {"batch_size", own_size && (training || only_streams), sizes},
      {"eval_batch_size", !training && own_size, sizes},
      {"num_workers", only_streams && options.num_workers.value_or(0) > 0, workers},
      {"prefetch_factor", only_streams, workers},
      {"pin_memory", only_streams && options.pin_memory.value_or(false), "the data module allocates its memory"}};
  for (const Rule& rule : rules)
    if (rule.set && options.given.count(rule.option))
      throw Error(ErrorCode::option_unsupported, std::string("data.") + rule.option + " has no effect on the rows of " +
                                                     place.data.plugin() + " (" + place.text() +
                                                     "): it is a stream, and " + rule.why + "; leave the option out");
}

void check_buckets(const LoaderPlace& place, const LoaderDefaults& options, bool has_lengths) {
  if (!options.given.count("bucket_by_length")) return;
  const char* why = !place.info.ragged() ? "all of them have one shape"
                    : !has_lengths       ? "the data module does not give their lengths (row_length)"
                    : !options.shuffle   ? "batches of similar length are shuffled, and data.shuffle is false"
                                         : nullptr;
  if (why)
    throw Error(ErrorCode::option_unsupported, "data.bucket_by_length has no effect on the rows of " +
                                                   place.data.plugin() + " (" + place.text() + "): " + why +
                                                   "; leave the option out");
}

void check_padding(const LoaderPlace& place, const Share& share) {
  if (share.world_size == 1) return;
  throw Error(ErrorCode::option_unsupported,
              "trainer.pad_evaluation has no effect on the rows of " + place.data.plugin() + " (" + place.text() +
                  "): it is a stream, whose rows cannot be repeated; leave the option out, or let the stream give each "
                  "rank its own rows with --trainer.use_distributed_sampler=false");
}

void check_cycle(const DataModule& data, uint32_t split, CombinedMode mode,
                 const std::vector<std::unique_ptr<Loader>>& loaders) {
  if (mode != CombinedMode::max_size_cycle || loaders.size() < 2) return;
  for (size_t i = 0; i < loaders.size(); ++i) {
    const auto least = loaders[i]->least(), most = loaders[i]->most();
    if (least != 0 || most == 0) continue;
    const LoaderPlace place{data, split, static_cast<uint32_t>(i), loaders[i]->info()};
    throw Error(ErrorCode::batches_do_not_fit,
                data.plugin() + ": " + place.text() +
                    " has too few rows for a batch on each rank, which combined_mode 'max_size_cycle' needs; use fewer "
                    "ranks, another mode, or, unless it is a stream, --trainer.pad_evaluation");
  }
}

void check_batch_memory(const LoaderPlace& place, int64_t rows) {
  const double row = place.info.row_bytes(), bytes = row * static_cast<double>(rows);
  if (!too_large(bytes)) return;
  char row_text[32];
  std::snprintf(row_text, sizeof row_text, "%.0f", row);
  throw Error(
      ErrorCode::batches_do_not_fit,
      place.data.plugin() + ": " + place.text() + ": out of memory: a batch of " + std::to_string(rows) + " rows of " +
          row_text + " bytes would need " + gibibytes(bytes) + machine_text() + "; give a smaller --data." +
          (place.split == LEVIN_TRAIN ? "batch_size" : "eval_batch_size, or batch_size where that is not given"));
}

void check_order_memory(const LoaderPlace& place, int64_t rows) {
  const double bytes = static_cast<double>(sizeof(int64_t)) * static_cast<double>(rows);
  if (!too_large(bytes)) return;
  throw place.error(ErrorCode::plugin_answer_invalid, "describe",
                    place.text() + ": the order of " + std::to_string(rows) + " rows would need " + gibibytes(bytes) +
                        machine_text() + "; describe a stream by -1 rows");
}

}  // namespace levin::core
