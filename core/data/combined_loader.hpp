// Combines several loaders in Lightning's four modes: decides which of them provides a batch in which step. A loader
// here is anything that can be advanced and restarted.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/config/trainer/trainer_enums.hpp"

namespace levin::core {

CombinedMode combined_mode_from(const std::string& name);  // throws Error{usage} that lists the valid names

// Returns the number of steps of the combination, or nullopt if unknown. lengths: of the loaders, after their limits;
// nullopt = unknown.
std::optional<int64_t> combined_length(CombinedMode mode, const std::vector<std::optional<int64_t>>& lengths);

// One pass over the loaders.
class CombinedLoader {
 public:
  struct Source {
    std::function<bool()> advance;                // goes to the next batch; returns false if there is none
    std::function<void()> restart;                // starts again from the first batch
    std::optional<int64_t> limit = std::nullopt;  // maximum number of batches of the loader, in every mode
  };
  struct Step {
    std::vector<bool> present;  // true for each loader that has a batch
    int64_t batch_idx = 0;      // index of the step; if sequential, index of the batch in its loader
    int64_t dataloader_idx = 0;
  };
  CombinedLoader(CombinedMode mode, std::vector<Source> sources);
  bool next(Step& step);  // returns false when the pass is over

 private:
  bool advance(size_t i);
  bool next_sequential(Step& step);
  bool next_cycle(Step& step);

  CombinedMode mode_;
  std::vector<Source> sources_;
  std::vector<int64_t> taken_;  // batches taken of each loader since its start
  std::vector<bool> ended_;     // true for each loader that has ended at least once
  int64_t batch_idx_ = 0;
  size_t turn_ = 0;
};

}  // namespace levin::core
