// Combines several loaders: decides which of them gives a batch in which step, in Lightning's four modes. A loader here
// is anything that can be advanced and restarted.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/config/trainer/trainer_enums.hpp"

namespace levin::core {

CombinedMode combined_mode_from(const std::string& name);  // throws Error{usage} that lists the valid names

// The number of steps of the combination, or nullopt if unknown. `lengths` are the loaders' lengths after their limits,
// nullopt where unknown.
std::optional<int64_t> combined_length(CombinedMode mode, const std::vector<std::optional<int64_t>>& lengths);

// One pass over the loaders.
class CombinedLoader {
 public:
  struct Source {
    std::function<bool()> advance;                // goes to the next batch; false if there is none
    std::function<void()> restart;                // starts again from the first batch
    std::optional<int64_t> limit = std::nullopt;  // ends the loader after so many batches, in every mode
  };
  struct Step {
    std::vector<bool> present;  // which loaders have a batch
    int64_t batch_idx = 0;      // counts the steps of the combination; if sequential, the batches of the loader
    int64_t dataloader_idx = 0;
  };
  CombinedLoader(CombinedMode mode, std::vector<Source> sources);
  bool next(Step& step);  // false when the pass is over

 private:
  bool advance(size_t i);
  bool next_sequential(Step& step);
  bool next_cycle(Step& step);

  CombinedMode mode_;
  std::vector<Source> sources_;
  std::vector<int64_t> taken_;  // batches of each loader since it started
  std::vector<bool> ended_;     // whether each loader has ended at least once
  int64_t batch_idx_ = 0;
  size_t turn_ = 0;
};

}  // namespace levin::core
