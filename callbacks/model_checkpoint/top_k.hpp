// Which of the saved checkpoints are the best k. A value: no files.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace levin::model_checkpoint {

class TopK {
 public:
  struct State {
    std::vector<std::pair<std::string, double>> models;  // path and score, in order of saving
    std::string best_path, kth_path;                     // kth: the worst of a full list
    std::optional<double> best_score, kth_value, current_score;
  };

  // k: -1 keeps all, 0 keeps none.
  TopK(int64_t k, bool maximize) : k_(k), maximize_(maximize) {}

  // Whether a checkpoint of this score should be saved. NaN only while there is room.
  bool wants(double score) const;
  // The path that has to go once another is saved; "": none.
  std::string evicted() const;
  // Call after wants() said yes; forgets what evicted() said. NaN counts as the worst score there is.
  void add(const std::string& path, double score);

  const State& state() const { return state_; }
  void restore(State state) { state_ = std::move(state); }

 private:
  bool full() const { return k_ > 0 && state_.models.size() == static_cast<size_t>(k_); }
  bool better(double a, double b) const { return maximize_ ? a > b : a < b; }
  int64_t k_;
  bool maximize_;
  State state_;
};

}  // namespace levin::model_checkpoint
