#include "core/data/source/stream_options.hpp"

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
    throw place.error(ErrorKind::plugin, "dataloader",
                      place.text() + ": asks for " + asked + ", and a stream has the order and the batches of 'next'");
}

}  // namespace

void check_stream_options(const LoaderPlace& place, const levin_loader& request, const LoaderDefaults& options,
                          bool only_streams) {
  check_request(place, request);
  const bool training = place.split == LEVIN_TRAIN;
  const bool own_size = request.batch_size == 0;
  const char* order = "'next' hands its rows over in an order of its own";
  const char* workers = "one call of 'next' follows the other, on the training thread";
  const char* sizes = "its batches have the size that the data module gives them";
  const Rule rules[] = {{"shuffle", training && options.shuffle, order},
                        {"drop_last", training && options.drop_last, sizes},
                        {"batch_size", own_size && (training || only_streams), sizes},
                        {"eval_batch_size", !training && own_size, sizes},
                        {"num_workers", only_streams && options.num_workers > 0, workers},
                        {"prefetch_factor", only_streams, workers},
                        {"pin_memory", only_streams && options.pin_memory, "the data module makes its memory"}};
  for (const Rule& rule : rules)
    if (rule.set && options.given.count(rule.option))
      throw Error(ErrorKind::usage, std::string("data.") + rule.option + " has no effect on the rows of " +
                                        place.data.plugin() + " (" + place.text() + "): it is a stream, and " +
                                        rule.why + "; leave the option out");
}

}  // namespace levin::core
