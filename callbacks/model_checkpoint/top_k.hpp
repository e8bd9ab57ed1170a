// The list of the best k checkpoints. It reads and writes no files.
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
    std::vector<std::pair<std::string, double>> models;  // path and score, in the order of saving
    std::string best_path, kth_path;                     // kth_path: the worst checkpoint of a full list
    std::optional<double> best_score, kth_value, current_score;
  };

  // limit: number of checkpoints to keep; -1 = all, 0 = none.
  TopK(int64_t limit, bool maximize) : limit_(limit), maximize_(maximize) {}

  // Returns true if a checkpoint with this score should be saved. NaN is accepted only while the list is not full.
  bool wants(double score) const;
  // Returns the path to remove when another checkpoint is saved; "" = none.
  std::string evicted() const;
  // Adds a checkpoint that wants() accepted, and drops the one that evicted() returns. NaN counts as the worst score.
  void add(const std::string& path, double score);

  const State& state() const { return state_; }
  void restore(State state) { state_ = std::move(state); }

 private:
  bool full() const { return limit_ > 0 && state_.models.size() == static_cast<size_t>(limit_); }
  bool better(double a, double b) const { return maximize_ ? a > b : a < b; }
  int64_t limit_;
  bool maximize_;
  State state_;
};

}  // namespace levin::model_checkpoint
