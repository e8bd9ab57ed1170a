// The trials of a sweep, as Optuna's journal describes them.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/enum_names.hpp"

namespace levin::core {
namespace sweep {

enum class TrialState { running, complete, pruned, failed, waiting };  // Optuna's numbers

struct Trial {
  int64_t id = 0;      // in the journal
  int64_t number = 0;  // in the study
  TrialState state = TrialState::running;
  std::map<std::string, double> values;         // as the journal has them: a value of a choice is its index
  std::map<std::string, nlohmann::json> shown;  // the same, as a person writes them
  std::map<int64_t, double> at_epoch;           // the metric, by epochs
  std::optional<double> value;
  nlohmann::json attributes = nlohmann::json::object();
  std::string started, ended;  // times in the form of ISO 8601

  bool is_over() const { return state != TrialState::running && state != TrialState::waiting; }
  // The attributes of a trial that a sweep has started. Other programs may have written them.
  std::string run() const;  // the name of its folder, trial_N; "" = other programs run the trial
  std::string error() const;
  int64_t epochs() const { return count("epochs", 0); }          // trains up to this; 0 = to the end
  int64_t parent() const { return count("parent", -1); }         // whose weights it begins with
  int64_t member() const { return count("member", -1); }         // of a population
  int64_t generation() const { return count("generation", 0); }  // in which it began
  bool is_of_sweep() const { return !run().empty(); }
  bool has_reached(int64_t epoch) const { return at_epoch.count(epoch) > 0; }
  // Returns true if it waits at the number of epochs that it was to reach.
  bool is_paused() const { return is_open() && epochs() > 0 && has_reached(epochs()); }
  bool is_busy() const { return is_open() && !is_paused(); }

 private:
  bool is_open() const { return state == TrialState::running && is_of_sweep(); }
  int64_t count(const char* attribute, int64_t otherwise) const;
};

struct Study {
  std::string name;
  bool maximizes = false;
  std::vector<Trial> trials;  // by number

  // Smaller is better.
  double loss(double value) const { return maximizes ? -value : value; }
  // Returns the trial with the best value among those that are complete, else nullptr.
  const Trial* best() const;
  size_t count(TrialState state) const;
};

// Replays operations of a journal. What belongs to another study is left out.
class Replay {
 public:
  void apply(const nlohmann::json& operation);
  const Study& study() const { return study_; }
  bool begun() const { return begun_; }

 private:
  Trial* open_trial(const nlohmann::json& operation);  // nullptr = none that can change
  void create_trial(const nlohmann::json& operation);

  Study study_;
  bool begun_ = false;
  int64_t next_id_ = 0;
  std::map<int64_t, size_t> number_of_;  // by id
};

}  // namespace sweep
template <>
inline constexpr auto enum_names<sweep::TrialState> = std::array{"running", "complete", "pruned", "failed", "waiting"};
}  // namespace levin::core
