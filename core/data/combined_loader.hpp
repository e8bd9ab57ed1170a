// Several loaders as one: in which step which of them gives a batch. Lightning's four modes, over anything that can be
// advanced and begun again.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/config/choices.hpp"

namespace levin::core {

CombinedMode combined_mode_from(const std::string& name);  // throws Error{usage} that lists the valid names

// Steps of the combination; lengths: of the loaders with their limits applied, nullopt unknown. nullopt: unknown.
std::optional<int64_t> combined_length(CombinedMode mode, const std::vector<std::optional<int64_t>>& lengths);

// One pass. A limit ends its loader after so many batches, in every mode.
class CombinedLoader {
 public:
  struct Source {
    std::function<bool()> advance;  // to the next batch; false: there is none
    std::function<void()> restart;  // begin again
    std::optional<int64_t> limit = std::nullopt;
  };
  struct Step {
    std::vector<bool> present;  // which loaders have a batch
    int64_t batch_idx = 0;      // of the combination; sequential: of the loader
    int64_t dataloader_idx = 0;
  };
  CombinedLoader(CombinedMode mode, std::vector<Source> sources);
  bool next(Step& step);  // false: the pass is over

 private:
  bool advance(size_t i);
  bool next_sequential(Step& step);
  bool next_cycle(Step& step);

  CombinedMode mode_;
  std::vector<Source> sources_;
  std::vector<int64_t> taken_;  // batches of each loader since it began
  std::vector<bool> ended_;     // at least once
  int64_t batch_idx_ = 0;
  size_t turn_ = 0;
};

}  // namespace levin::core
