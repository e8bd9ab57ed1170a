#include "core/data/share_checks.hpp"

#include <string>

#include "core/base/error.hpp"

namespace levin::core {

void check_padding(const LoaderPlace& place, const Share& share) {
  if (share.world_size == 1) return;
  throw Error(ErrorKind::usage,
              "trainer.pad_evaluation has no effect on the rows of " + place.data.plugin() + " (" + place.text() +
                  "): it is a stream, of which no row can be taken twice; leave the option out, or let the stream give "
                  "each process its own rows, with --trainer.use_distributed_sampler=false");
}

void check_cycle(const DataModule& data, uint32_t split, CombinedMode mode,
                 const std::vector<std::unique_ptr<Loader>>& loaders) {
  if (mode != CombinedMode::max_size_cycle || loaders.size() < 2) return;
  for (size_t i = 0; i < loaders.size(); ++i) {
    const auto least = loaders[i]->least(), most = loaders[i]->most();
    if (least != 0 || most == 0) continue;
    const LoaderPlace place{data, split, static_cast<uint32_t>(i), loaders[i]->info()};
    throw Error(ErrorKind::usage, data.plugin() + ": " + place.text() +
                                      " has too few rows for each process to have a batch, and combined_mode "
                                      "'max_size_cycle' goes through it again and again in each of them; take fewer "
                                      "processes, another mode, or, if it is no stream, --trainer.pad_evaluation");
  }
}

}  // namespace levin::core
