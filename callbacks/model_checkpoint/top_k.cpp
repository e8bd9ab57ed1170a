#include "top_k.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace levin::model_checkpoint {

bool TopK::wants(double score) const {
  if (limit_ == -1) return true;
  if (limit_ == 0) return false;
  if (state_.models.size() < static_cast<size_t>(limit_)) return true;
  return state_.kth_value && better(score, *state_.kth_value);
}

std::string TopK::evicted() const { return full() ? state_.kth_path : std::string(); }

void TopK::add(const std::string& path, double score) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (std::isnan(score)) score = maximize_ ? -infinity : infinity;
  auto& models = state_.models;
  const size_t limit = limit_ == -1 ? models.size() + 1 : static_cast<size_t>(limit_);
  const auto at = [&](const std::string& name) {
    return std::find_if(models.begin(), models.end(), [&](const auto& m) { return m.first == name; });
  };
  if (full()) models.erase(at(state_.kth_path));
  if (const auto same = at(path); same != models.end())
    same->second = score;
  else
    models.emplace_back(path, score);
  state_.current_score = score;

  // Among equal scores the oldest is the best, and the oldest is the worst.
  const auto by = [&](const auto& a, const auto& b) { return better(a.second, b.second); };
  const auto& best = *std::min_element(models.begin(), models.end(), by);
  state_.best_path = best.first;
  state_.best_score = best.second;
  if (models.size() != limit) return;
  const auto worse = [&](const auto& a, const auto& b) { return better(b.second, a.second); };
  const auto& worst = *std::min_element(models.begin(), models.end(), worse);
  state_.kth_path = worst.first;
  state_.kth_value = worst.second;
}

}  // namespace levin::model_checkpoint
