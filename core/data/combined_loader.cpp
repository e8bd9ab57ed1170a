#include "core/data/combined_loader.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core {

CombinedMode combined_mode_from(const std::string& name) {
  if (const auto mode = value_named<CombinedMode>(name)) return *mode;
  throw Error(ErrorCode::option_value_invalid,
              "loaders cannot be combined as '" + name + "'; valid: " + join(names_of<CombinedMode>(), ", "));
}

std::optional<int64_t> combined_length(CombinedMode mode, const std::vector<std::optional<int64_t>>& lengths) {
  if (lengths.empty()) return 0;
  int64_t sum = 0, least = 0, most = 0;
  bool known = true, any = false;
  for (const auto& n : lengths) {
    known = known && n;
    if (!n) continue;
    sum += *n;
    least = any ? std::min(least, *n) : *n;
    most = std::max(most, *n);
    any = true;
  }
  if (!known) return std::nullopt;
  if (mode == CombinedMode::sequential) return sum;
  return mode == CombinedMode::min_size ? least : most;
}

CombinedLoader::CombinedLoader(CombinedMode mode, std::vector<Source> sources)
    : mode_(mode), sources_(std::move(sources)), taken_(sources_.size()), ended_(sources_.size()) {}

bool CombinedLoader::advance(size_t i) {
  Source& source = sources_[i];
  if (source.limit && taken_[i] >= *source.limit) return false;
  if (!source.advance()) return false;
  ++taken_[i];
  return true;
}

bool CombinedLoader::next_sequential(Step& step) {
  for (; turn_ < sources_.size(); ++turn_) {
    if (!advance(turn_)) continue;
    step.present[turn_] = true;
    step.batch_idx = taken_[turn_] - 1;
    step.dataloader_idx = static_cast<int64_t>(turn_);
    return true;
  }
  return false;
}

bool CombinedLoader::next_cycle(Step& step) {
  for (size_t i = 0; i < sources_.size(); ++i) {
    step.present[i] = advance(i);
    if (step.present[i]) continue;
    ended_[i] = true;
    if (std::find(ended_.begin(), ended_.end(), false) == ended_.end()) return false;
    sources_[i].restart();
    taken_[i] = 0;
    step.present[i] = advance(i);
    if (!step.present[i]) return false;  // the loader is empty
  }
  return true;
}

bool CombinedLoader::next(Step& step) {
  step.present.assign(sources_.size(), false);
  step.dataloader_idx = 0;
  if (sources_.empty()) return false;
  if (mode_ == CombinedMode::sequential) return next_sequential(step);
  step.batch_idx = batch_idx_;
  if (mode_ == CombinedMode::max_size_cycle) {
    if (!next_cycle(step)) return false;
  } else {
    bool any = false;
    for (size_t i = 0; i < sources_.size(); ++i) {
      step.present[i] = !ended_[i] && advance(i);
      if (!step.present[i]) ended_[i] = true;
      if (!step.present[i] && mode_ == CombinedMode::min_size) return false;
      any = any || step.present[i];
    }
    if (!any) return false;
  }
  ++batch_idx_;
  return true;
}

}  // namespace levin::core
